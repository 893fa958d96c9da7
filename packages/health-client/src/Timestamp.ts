/** The module `@vigil/health-schema/Timestamp`. */
export * from "@vigil/health-schema/Timestamp"
