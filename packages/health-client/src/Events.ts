/** The module `@vigil/health-schema/Events`. */
export * from "@vigil/health-schema/Events"
