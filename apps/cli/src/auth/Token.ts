/** The token for a service: from the environment, else from the token command, else the stored one. */
import * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import * as OAuthImplicit from "@vigil/health-client/OAuthImplicit"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as CommandSetting from "../settings/TokenCommand.js"
import * as TokenCommand from "./TokenCommand.js"
import type { TokenCommandError } from "./TokenCommandError.js"
import type { Grant } from "./TokenOutput.js"
import * as TokenStore from "./TokenStore.js"

export type Source =
  | TokenStore.Location
  | { readonly kind: "environment" | "sandbox" | "command"; readonly name: string }

export interface Available {
  readonly _tag: "Token"
  readonly token: Redacted.Redacted
  readonly from: Source
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** A token that is fetched when a request needs it, and again when it expires or is rejected. */
export interface Renewable {
  readonly _tag: "Renewable"
  readonly from: Source
  readonly fetch: Effect.Effect<Grant, TokenCommandError>
}

/** A token for this origin, a stored token for another origin, or no token. */
export type Result =
  | Available
  | Renewable
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
    const command = service === "health" && Option.isSome(baseUrl) ? yield* CommandSetting.find : Option.none()
    if (Option.isSome(command)) {
      const from = { kind: "command", name: command.value.program } as const
      return { _tag: "Renewable", from, fetch: TokenCommand.fetch(command.value) }
    }
    const stored = yield* TokenStore.find(service)
    if (Option.isNone(stored)) return { _tag: "None" }
    const { expiresAt, location: from, origin, token } = stored.value
    return Option.exists(Option.flatMapNullable(baseUrl, Origin.parseUrl), (url) => url.origin === origin)
      ? { _tag: "Token", token, from, expiresAt }
      : { _tag: "OtherOrigin", origin, from }
  })

/** Fetches the token, if it is renewable. */
export const resolve = (token: Available | Renewable): Effect.Effect<Available, TokenCommandError> =>
  token._tag === "Token"
    ? Effect.succeed(token)
    : Effect.map(token.fetch, (grant) => ({ ...grant, _tag: "Token", from: token.from }))

const minute = 60_000

/** In milliseconds: until a minute before the expiry, or half of the time if less than two minutes are left. */
const timeToLive = (expiresAt: DateTime.Utc): Effect.Effect<number> =>
  Effect.map(DateTime.now, (now) => {
    const left = Math.max(0, DateTime.distance(now, expiresAt))
    return left - Math.min(minute, left / 2)
  })

/** The library removes the message of the error, so that it is the cause of the `CredentialError` again. */
const renewing = ({ fetch }: Renewable): Credential.Credential => {
  let failure: TokenCommandError | undefined
  const secret = Effect.gen(function* () {
    failure = undefined
    const { expiresAt, token } = yield* fetch
    return Option.isSome(expiresAt)
      ? { secret: token, timeToLive: yield* timeToLive(expiresAt.value) }
      : { secret: token }
  })
  const bearer = Credential.bearer(Effect.tapError(secret, (error) => Effect.sync(() => (failure = error))))
  if (bearer._tag === "None") return bearer
  return { ...bearer, value: Effect.mapError(bearer.value, (error) => ({ ...error, cause: failure ?? error.cause })) }
}

/** A credential of a token that was found. It ends when the token expires, unless the token can be fetched again. */
export const credential = (token: Available | Renewable): Credential.Credential =>
  token._tag === "Renewable"
    ? renewing(token)
    : OAuthImplicit.credential({ accessToken: token.token, expiresAt: token.expiresAt, scope: Option.none() })
