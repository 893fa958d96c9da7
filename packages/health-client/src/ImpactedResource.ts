/** The module `@vigil/health-schema/ImpactedResource`. */
export * from "@vigil/health-schema/ImpactedResource"
