/** The module `@vigil/health-schema/HealthEvent`. */
export * from "@vigil/health-schema/HealthEvent"
