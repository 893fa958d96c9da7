/** The module `@vigil/health-schema/AvailabilityStatus`. */
export * from "@vigil/health-schema/AvailabilityStatus"
