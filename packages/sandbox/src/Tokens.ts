/** The API tokens of the app management service: two kinds with two kinds of access (document, "API token"). */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/**
 * Full access, or read-only: viewer rights at most (document, "API token").
 * @category models
 * @since 0.1.0
 */
export type Access = "full" | "read-only"

/**
 * A token to be created. `user` is the name of who creates it, by default the first user of the accounts; what a user token may do
 * is what this user may, an app token (of `kind` `app`) is for one `app`, `owner/app`. `access` is the part of these rights that it has. `name` describes it to people.
 * @category models
 * @since 0.1.0
 */
export type Options = {
  readonly access: Access
  readonly user?: string | undefined
  readonly name?: string | undefined
} & ({ readonly kind: "user" } | { readonly kind: "app"; readonly app: string })

/**
 * A token that exists, without its value. `user` is the name of who created it, `createdAt` in milliseconds since 1970.
 * `name`, `kind`, `access` and `app` are what it was created with; by `id` it is deleted.
 * @category models
 * @since 0.1.0
 */
export type Token = {
  readonly id: string
  readonly access: Access
  readonly user: string
  readonly name: string
  readonly createdAt: number
} & ({ readonly kind: "user" } | { readonly kind: "app"; readonly app: string })

/**
 * A new token, with the value that is shown this once: for the header `X-API-Token`.
 * @category models
 * @since 0.1.0
 */
export interface Created {
  /** By which it is deleted. */
  readonly id: string
  /** The secret itself. */
  readonly value: Redacted.Redacted
}

/**
 * A token could not be created: there is no such user or app, the user has no right to it (only managers create app tokens with
 * full access, managers and developers read-only ones: document, "API token"), or has 5000 tokens already (document, "Limits").
 * @category errors
 * @since 0.1.0
 */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{
  /** Which of these it is. */
  readonly reason: "user" | "app" | "right" | "limit"
  readonly message: string
}> {}

/**
 * The tokens of all accounts. A token exists or is deleted; a deleted one gets a 401 (document, "States and transitions").
 * @category models
 * @since 0.1.0
 */
export interface Service {
  /** Fails with `TokenRefused`. */
  readonly create: (options: Options) => Effect.Effect<Created, TokenRefused>
  /** Whether there was such a token. */
  readonly delete: (id: string) => Effect.Effect<boolean>
  /** Those that exist, the oldest first; the one of `apiToken` among them. */
  readonly list: Effect.Effect<ReadonlyArray<Token>>
}
