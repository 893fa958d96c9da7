/** The module `@vigil/core-http/Decoder`. */
export * from "@vigil/core-http/Decoder"
