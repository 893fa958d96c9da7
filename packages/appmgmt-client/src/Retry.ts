/** The module `@vigil/core-http/Retry`. */
export * from "@vigil/core-http/Retry"
