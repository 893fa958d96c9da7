/** The token for a service: from the environment, the token command, the client credentials, or the stored one. */
import type * as HttpClient from "effect/http/HttpClient"
import * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import * as OAuthImplicit from "@vigil/health-client/OAuthImplicit"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { UsageError } from "../Failure.js"
import * as ClientSettings from "../settings/ClientSettings.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as TokenCommandSetting from "../settings/TokenCommandSetting.js"
import * as ClientCredentials from "./ClientCredentials.js"
import * as TokenCommand from "./TokenCommand.js"
import type { TokenCommandError } from "./TokenCommandError.js"
import * as TokenStore from "./TokenStore.js"

export type Source =
  | TokenStore.Location
  | { readonly kind: "environment" | "sandbox" | "command" | "client-credentials"; readonly name: string }

export interface Available {
  readonly _tag: "Available"
  readonly token: Redacted.Redacted
  readonly from: Source
  readonly expiresAt: Option.Option<DateTime.Utc>
}

export type FetchError = TokenCommandError | ClientCredentials.FetchError

/** A token that is fetched when a request needs it, and again when it expires or is rejected. */
export interface Renewable {
  readonly _tag: "Renewable"
  readonly from: Source
  readonly fetch: Effect.Effect<Credential.FetchedToken, FetchError>
}

/** A stored token, or the token command of the user's own file, for another origin. */
export interface OtherOrigin {
  readonly _tag: "OtherOrigin"
  /** The origin, or the setting that lacks it. */
  readonly origin: string
  readonly from: Source
}

/** A token for this origin, one for another origin, or no token. */
export type Result = Available | Renewable | OtherOrigin | { readonly _tag: "None" }

/** The token for another origin, as the subject of a sentence. */
export const nameOf = (service: ServiceName.ServiceName, { from }: OtherOrigin): string =>
  from.kind === "command"
    ? `The token of the command ${from.name}`
    : `The stored token of ${ServiceName.facts[service].title}`

const findRenewable = (
  origin: string | undefined,
): Effect.Effect<Option.Option<Renewable | OtherOrigin>, UsageError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const command = yield* TokenCommandSetting.find
    let otherOrigin = Option.none<OtherOrigin>()
    if (Option.isSome(command)) {
      const { audience, program } = command.value
      const from = { kind: "command", name: program } as const
      if (audience === undefined || audience === origin)
        return Option.some({ _tag: "Renewable", from, fetch: TokenCommand.fetch(command.value) })
      otherOrigin = Option.some({ _tag: "OtherOrigin", origin: audience, from })
    }
    const client = yield* ClientSettings.find
    if (Option.isNone(client)) return otherOrigin
    const from = { kind: "client-credentials", name: Settings.display(client.value.tokenUrl) } as const
    return Option.some({ _tag: "Renewable", from, fetch: yield* ClientCredentials.make(client.value) })
  })

/** Finds the token for a service at a base URL. Without a URL, returns `OtherOrigin` for a stored token, and ignores others. */
export const find = (
  service: ServiceName.ServiceName,
  baseUrl: Option.Option<string>,
): Effect.Effect<Result, TokenStore.FindError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const name = ServiceName.facts[service].tokenVariable
    const origin = Option.getOrUndefined(Option.flatMapNullishOr(baseUrl, Origin.parseUrl))?.origin
    const variable = Option.isSome(baseUrl) ? yield* Environment.secret(name) : Option.none()
    if (Option.isSome(variable))
      return { _tag: "Available", token: variable.value, from: { kind: "environment", name }, expiresAt: Option.none() }
    const renewable = service === "health" && Option.isSome(baseUrl) ? yield* findRenewable(origin) : Option.none()
    if (Option.isSome(renewable) && renewable.value._tag === "Renewable") return renewable.value
    const stored = yield* TokenStore.find(service)
    if (Option.isSome(stored) && stored.value.origin === origin) {
      const { expiresAt, location: from, token } = stored.value
      return { _tag: "Available", token, from, expiresAt }
    }
    if (Option.isSome(renewable)) return renewable.value
    return Option.match(stored, {
      onNone: () => ({ _tag: "None" }),
      onSome: ({ location: from, origin }) => ({ _tag: "OtherOrigin", origin, from }),
    })
  })

const endOfTime = Date.UTC(10_000, 0)

/** When the token expires, to the second. `None` if that is unknown or after the year 9999. */
const expiry = ({ lifetime }: Credential.FetchedToken): Effect.Effect<Option.Option<DateTime.Utc>> =>
  Effect.map(DateTime.now, (now) =>
    lifetime.pipe(
      Option.map((left) => Math.round((DateTime.toEpochMillis(now) + Duration.toMillis(left)) / 1000) * 1000),
      Option.filter((millis) => millis < endOfTime),
      Option.flatMap(DateTime.make),
    ),
  )

/** Fetches the token, if it is renewable. */
export const resolve = (token: Available | Renewable): Effect.Effect<Available, FetchError> =>
  token._tag === "Available"
    ? Effect.succeed(token)
    : Effect.flatMap(token.fetch, (fetched) =>
        Effect.map(expiry(fetched), (expiresAt) => ({
          _tag: "Available",
          token: fetched.accessToken,
          from: token.from,
          expiresAt,
        })),
      )

/** For the error if the service rejects the token. Other tokens are replaced by a sign-in. */
const sourceOf = ({ kind, name }: Source): string | undefined => {
  if (kind === "command") return `the token command ${name}`
  return kind === "client-credentials" ? `the token URL ${name} (${Settings.variable("tokenUrl")})` : undefined
}

/** A credential of a token that was found. It ends when the token expires, unless the token can be fetched again. */
export const credential = (token: Available | Renewable): Credential.Header => {
  const options = { source: sourceOf(token.from) }
  return token._tag === "Renewable"
    ? Credential.fromToken(token.fetch, options)
    : OAuthImplicit.credential({ accessToken: token.token, expiresAt: token.expiresAt }, options)
}
