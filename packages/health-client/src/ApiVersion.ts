/** The module `@vigil/health-schema/ApiVersion`. */
export * from "@vigil/health-schema/ApiVersion"
