/** The token for a service: from the environment, else the stored one. */
import type * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import * as OAuthImplicit from "@vigil/health-client/OAuthImplicit"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as TokenStore from "./TokenStore.js"

export type Source = TokenStore.Location | { readonly kind: "environment" | "sandbox"; readonly name: string }

export interface Available {
  readonly _tag: "Token"
  readonly token: Redacted.Redacted
  readonly from: Source
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** A token for this origin, a stored token for another origin, or no token. */
export type Result =
  | Available
  | { readonly _tag: "OtherOrigin"; readonly origin: string; readonly from: TokenStore.Location }
  | { readonly _tag: "None" }

/** Finds the token for a service at a base URL. Without a URL, ignores the environment and returns `OtherOrigin` for a stored token. */
export const find = (
  service: ServiceName.ServiceName,
  baseUrl: Option.Option<string>,
): Effect.Effect<Result, TokenStore.FindError> =>
  Effect.gen(function* () {
    const name = ServiceName.facts[service].tokenVariable
    const variable = Option.isSome(baseUrl) ? yield* Environment.secret(name) : Option.none()
    if (Option.isSome(variable))
      return { _tag: "Token", token: variable.value, from: { kind: "environment", name }, expiresAt: Option.none() }
    const stored = yield* TokenStore.find(service)
    if (Option.isNone(stored)) return { _tag: "None" }
    const { expiresAt, location: from, origin, token } = stored.value
    return Option.exists(Option.flatMapNullable(baseUrl, Origin.parseUrl), (url) => url.origin === origin)
      ? { _tag: "Token", token, from, expiresAt }
      : { _tag: "OtherOrigin", origin, from }
  })

/** A credential that ends when the token expires. */
export const bearer = ({ expiresAt, token }: Available): Credential.Credential =>
  OAuthImplicit.credential({ accessToken: token, expiresAt, scope: Option.none() })
