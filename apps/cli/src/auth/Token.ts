/** The token that a service is to be asked with: the one of the environment, else the one that was signed in with. */
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

/** Where a token was found. */
export type From = TokenStore.Place | { readonly kind: "environment" | "sandbox"; readonly name: string }

/** A token that may be sent, and one that is for another origin and is not. */
export type Found =
  | {
      readonly _tag: "Token"
      readonly token: Redacted.Redacted
      readonly from: From
      readonly expiresAt: Option.Option<DateTime.Utc>
    }
  | { readonly _tag: "Elsewhere"; readonly origin: string; readonly from: TokenStore.Place }
  | { readonly _tag: "None" }

/** The origin of an address; nothing when it is none. */
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

/** The token as a secret that is had with each request, and no longer when it has expired. */
export const bearer = ({ expiresAt, token }: Extract<Found, { _tag: "Token" }>): Credential.Credential =>
  OAuthImplicit.credential({ accessToken: token, expiresAt, scope: Option.none() })
