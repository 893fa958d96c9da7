/** The module `@vigil/core-http/SettingsError`. */
export * from "@vigil/core-http/SettingsError"
