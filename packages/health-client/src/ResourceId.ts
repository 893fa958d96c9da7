/** The module `@vigil/health-schema/ResourceId`. */
export * from "@vigil/health-schema/ResourceId"
