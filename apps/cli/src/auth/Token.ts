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

export type From = TokenStore.Place | { readonly kind: "environment" | "sandbox"; readonly name: string }

/** A token for this origin, a stored token for another origin, or no token. */
export type Found =
  | {
      readonly _tag: "Token"
      readonly token: Redacted.Redacted
      readonly from: From
      readonly expiresAt: Option.Option<DateTime.Utc>
    }
  | { readonly _tag: "Elsewhere"; readonly origin: string; readonly from: TokenStore.Place }
  | { readonly _tag: "None" }

const originOf = (address: string): string | undefined => Origin.parseUrl(address)?.origin

/** The token for a service at an address. */
export const find = (service: ServiceName.ServiceName, address: string): Effect.Effect<Found, TokenStore.FindError> =>
  Effect.gen(function* () {
    const name = ServiceName.facts[service].token
    const said = yield* Environment.secret(name)
    if (Option.isSome(said))
      return { _tag: "Token", token: said.value, from: { kind: "environment", name }, expiresAt: Option.none() }
    const kept = yield* TokenStore.find(service)
    if (Option.isNone(kept)) return { _tag: "None" }
    const { expiresAt, origin, place, token } = kept.value
    return origin === originOf(address)
      ? { _tag: "Token", token, from: place, expiresAt }
      : { _tag: "Elsewhere", origin, from: place }
  })

/** A credential that ends when the token expires. */
export const bearer = ({ expiresAt, token }: Extract<Found, { _tag: "Token" }>): Credential.Credential =>
  OAuthImplicit.credential({ accessToken: token, expiresAt, scope: Option.none() })
