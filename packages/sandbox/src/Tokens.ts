/** API tokens of the app management service: two kinds, each with full or read-only access (document, "API token"). */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** Full access, or read-only: at most the rights of a viewer (document, "API token"). @category models @since 0.1.0 */
export type Access = "full" | "read-only"

/**
 * Options of a new token of a `user` (default: the first user). App tokens are valid for one `app`: `owner/app`.
 * @category models @since 0.1.0
 */
export type Options = {
  readonly access: Access
  readonly user?: string | undefined
} & ({ readonly kind: "user" } | { readonly kind: "app"; readonly app: string })

/** A new token. Only this result contains its value, which is sent as `X-API-Token`. @category models @since 0.1.0 */
export interface Created {
  readonly id: string
  readonly value: Redacted.Redacted
}

/**
 * A token could not be created: an unknown user or app, a missing right (document, "API token"), or a 5001st token (document, "Limits").
 * @category errors @since 0.1.0
 */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  reason: Schema.Literals(["user", "app", "right", "limit"]),
  message: Schema.String,
}) {}

/** The tokens of all accounts. A deleted token gets a 401 (document, "States and transitions"). @category models @since 0.1.0 */
export interface Service {
  /** Fails with `TokenRefused`. */
  readonly create: (options: Options) => Effect.Effect<Created, TokenRefused>
  /** Returns whether the token existed. */
  readonly delete: (id: string) => Effect.Effect<boolean>
}
