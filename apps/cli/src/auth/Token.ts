/** The token for a service: from the environment, the token command, the client credentials, or the stored one. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import * as OAuthImplicit from "@vigil/health-client/OAuthImplicit"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { UsageError } from "../Failure.js"
import * as ClientSettings from "../settings/ClientCredentials.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as CommandSetting from "../settings/TokenCommand.js"
import * as ClientCredentials from "./ClientCredentials.js"
import * as Grant from "./Grant.js"
import * as TokenCommand from "./TokenCommand.js"
import type { TokenCommandError } from "./TokenCommandError.js"
import * as TokenStore from "./TokenStore.js"

export type Source =
  | TokenStore.Location
  | { readonly kind: "environment" | "sandbox" | "command" | "client-credentials"; readonly name: string }

export interface Available {
  readonly _tag: "Token"
  readonly token: Redacted.Redacted
  readonly from: Source
  readonly expiresAt: Option.Option<DateTime.Utc>
}

export type FetchError = TokenCommandError | ClientCredentials.FetchError

/** A token that is fetched when a request needs it, and again when it expires or is rejected. */
export interface Renewable {
  readonly _tag: "Renewable"
  readonly from: Source
  readonly fetch: Effect.Effect<Grant.Grant, FetchError>
}

/** A token for this origin, a stored token for another origin, or no token. */
export type Result =
  | Available
  | Renewable
  | { readonly _tag: "OtherOrigin"; readonly origin: string; readonly from: TokenStore.Location }
  | { readonly _tag: "None" }

const findRenewable: Effect.Effect<Option.Option<Renewable>, UsageError, HttpClient.HttpClient> = Effect.gen(
  function* () {
    const command = yield* CommandSetting.find
    if (Option.isSome(command)) {
      const from = { kind: "command", name: command.value.program } as const
      return Option.some({ _tag: "Renewable", from, fetch: TokenCommand.fetch(command.value) })
    }
    const client = yield* ClientSettings.find
    const http = yield* Effect.context<HttpClient.HttpClient>()
    return Option.map(client, (settings) => ({
      _tag: "Renewable",
      from: { kind: "client-credentials", name: Settings.display(settings.tokenUrl) },
      fetch: Effect.provide(ClientCredentials.fetch(settings), http),
    }))
  },
)

/** Finds the token for a service at a base URL. Without a URL, ignores the environment and returns `OtherOrigin` for a stored token. */
export const find = (
  service: ServiceName.ServiceName,
  baseUrl: Option.Option<string>,
): Effect.Effect<Result, TokenStore.FindError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const name = ServiceName.facts[service].tokenVariable
    const variable = Option.isSome(baseUrl) ? yield* Environment.secret(name) : Option.none()
    if (Option.isSome(variable))
      return { _tag: "Token", token: variable.value, from: { kind: "environment", name }, expiresAt: Option.none() }
    const renewable = service === "health" && Option.isSome(baseUrl) ? yield* findRenewable : Option.none()
    if (Option.isSome(renewable)) return renewable.value
    const stored = yield* TokenStore.find(service)
    if (Option.isNone(stored)) return { _tag: "None" }
    const { expiresAt, location: from, origin, token } = stored.value
    return Option.exists(Option.flatMapNullable(baseUrl, Origin.parseUrl), (url) => url.origin === origin)
      ? { _tag: "Token", token, from, expiresAt }
      : { _tag: "OtherOrigin", origin, from }
  })

/** Fetches the token, if it is renewable. */
export const resolve = (token: Available | Renewable): Effect.Effect<Available, FetchError> =>
  token._tag === "Token"
    ? Effect.succeed(token)
    : Effect.map(token.fetch, (grant) => ({ ...grant, _tag: "Token", from: token.from }))

/** A credential of a token that was found. It ends when the token expires, unless the token can be fetched again. */
export const credential = (token: Available | Renewable): Credential.Credential =>
  token._tag === "Renewable"
    ? Grant.credential(token.fetch)
    : OAuthImplicit.credential({ accessToken: token.token, expiresAt: token.expiresAt, scope: Option.none() })
