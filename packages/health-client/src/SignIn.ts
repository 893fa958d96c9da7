/** The sign-in of the health events API: where people authorize a program, and what it asks for. */

/** The requested scope: to impersonate the account of the user (section "Authentication"). @category constants @since 0.2.0 */
export const scope = "user_impersonation"

/**
 * Returns the URL of the authorization endpoint of an identity provider, such as `https://login.example/common/oauth2/authorize` (section
 * "Authentication"). For `OAuthImplicit` of `@vigil/oauth`.
 * @category getters @since 0.2.0
 */
export const authorizationUrl = (authUrl: string): string =>
  `${authUrl.replace(/(?<!\/)\/+$/, "")}/common/oauth2/authorize`
