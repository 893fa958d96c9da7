/** The module `@vigil/core-http/Credential`. */
export * from "@vigil/core-http/Credential"
