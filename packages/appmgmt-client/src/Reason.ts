/** The module `@vigil/core-http/Reason`. */
export * from "@vigil/core-http/Reason"
