/** The module `@vigil/health-schema/Priority`. */
export * from "@vigil/health-schema/Priority"
