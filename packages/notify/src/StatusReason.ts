/** The module `@vigil/core-http/StatusReason`. */
export * from "@vigil/core-http/StatusReason"
