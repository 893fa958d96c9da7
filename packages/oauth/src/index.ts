/** Credentials by OAuth. */
export * as OAuthClientCredentials from "./OAuthClientCredentials.js"
export * as OAuthImplicit from "./OAuthImplicit.js"
