/** The module `@vigil/core-http/RequestError`. */
export * from "@vigil/core-http/RequestError"
