/** The token for a service: from the environment, the token command, the client credentials, or the stored one. Each is loaded if the ones before it have no token. */
import * as Credential from "@vigil/core-http/Credential"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { CommandError } from "../command/CommandError.js"
import type { UsageError } from "../flags/UsageError.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import type * as ClientCredentials from "./ClientCredentials.js"
import type * as TokenCommand from "./TokenCommand.js"
import type * as TokenStore from "./TokenStore.js"

export type Source =
  | TokenStore.Location
  | { readonly kind: "environment" | "sandbox" | "command" | "client-credentials"; readonly name: string }

export interface Available {
  readonly _tag: "Available"
  readonly token: Redacted.Redacted
  readonly from: Source
  readonly expiresAt: Option.Option<DateTime.Utc>
}

export type FetchError = TokenCommand.TokenCommandError | ClientCredentials.FetchError

/** A token that is fetched when a request needs it, and again when it expires or is rejected. */
export interface Renewable {
  readonly _tag: "Renewable"
  readonly from: Source
  readonly fetch: Effect.Effect<Credential.FetchedSecret, FetchError>
}

/** A stored token, or the token command of the user's own file, for another origin. */
export interface OtherOrigin {
  readonly _tag: "OtherOrigin"
  /** The origin, or the setting that lacks it. */
  readonly origin: string
  readonly from: Source
}

/** A token for this origin, one for another origin, or no token. */
export type Found = Available | Renewable | OtherOrigin | { readonly _tag: "None" }

/** Why no token is sent, and what to do. */
export const explain = (service: ServiceName.ServiceName, token: Found): string => {
  const { signIn, title } = ServiceName.facts[service]
  if (token._tag !== "OtherOrigin") return `There is no token for ${title}. ${signIn}`
  const { from, origin } = token
  const subject = from.kind === "command" ? `The token of the command ${from.name}` : `The stored token of ${title}`
  return `${subject} is for ${origin} and is sent only there. ${signIn}`
}

/** What to do with a token that has expired. */
export const expired = (service: ServiceName.ServiceName, from: Source): string => {
  const { signIn, title } = ServiceName.facts[service]
  return `The token of ${title} (${describe(from)}) has expired. ${signIn}`
}

const findRenewable = Effect.fnUntraced(function* (
  origin: string | undefined,
): Effect.fn.Return<Renewable | OtherOrigin | undefined, UsageError, HttpClient.HttpClient | Settings.Settings> {
  const command = yield* (yield* Effect.promise(() => import("./TokenCommand.js"))).find
  if (command !== undefined && (command.audience === undefined || command.audience === origin))
    return { _tag: "Renewable", ...command }
  const client = yield* (yield* Effect.promise(() => import("./ClientCredentials.js"))).find
  if (client !== undefined) return { _tag: "Renewable", ...client }
  return command?.audience === undefined
    ? undefined
    : { _tag: "OtherOrigin", origin: command.audience, from: command.from }
})

/** Finds the token for a service at a base URL. Without a URL, returns `OtherOrigin` for a stored token, and ignores others. */
export const find = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  baseUrl: string | undefined,
): Effect.fn.Return<Found, TokenStore.FindError, HttpClient.HttpClient | Settings.Settings> {
  const name = ServiceName.facts[service].tokenVariable
  const origin = URL.parse(baseUrl ?? "")?.origin
  const variable = baseUrl === undefined ? undefined : yield* Environment.secret(name)
  if (variable !== undefined)
    return { _tag: "Available", token: variable, from: { kind: "environment", name }, expiresAt: Option.none() }
  const renewable = service === "health" && baseUrl !== undefined ? yield* findRenewable(origin) : undefined
  if (renewable?._tag === "Renewable") return renewable
  const stored = yield* (yield* Effect.promise(() => import("./TokenStore.js"))).find(service)
  if (stored === undefined) return renewable ?? { _tag: "None" }
  const { expiresAt, location: from, token } = stored
  if (stored.origin === origin) return { _tag: "Available", token, from, expiresAt }
  return renewable ?? { _tag: "OtherOrigin", origin: stored.origin, from }
})

/** Where a token comes from, in words. */
export const describe = ({ kind, name }: Source): string => {
  if (kind === "command") return `the token command ${name}`
  return kind === "client-credentials" ? `the token URL ${name} (${Settings.variable("tokenUrl")})` : name
}

/** For the error if the service rejects the token. Other tokens are replaced by a sign-in. */
const sourceOf = (source: Source): string | undefined =>
  source.kind === "command" || source.kind === "client-credentials" ? describe(source) : undefined

/** A credential of a token that was found. It ends when the token expires, unless the token can be fetched again. */
export const credential = Effect.fnUntraced(function* (token: Available | Renewable) {
  const options = { source: sourceOf(token.from) }
  if (token._tag === "Renewable") return Credential.fromToken(token.fetch, options)
  const { expiresAt, token: secret } = token
  if (Option.isNone(expiresAt)) return Credential.bearer(secret, options)
  const { credential } = yield* Effect.promise(() => import("@vigil/oauth/OAuthImplicit"))
  return credential({ secret, expiresAt: expiresAt.value }, options)
})

/** The token, if it can be sent now. */
const usable = Effect.fnUntraced(function* (service: ServiceName.ServiceName, token: Found) {
  if (token._tag === "Renewable") return yield* token.fetch
  if (token._tag !== "Available") return yield* new CommandError("unauthenticated", explain(service, token))
  const { expiresAt, from, token: secret } = token
  if (Option.isNone(expiresAt)) return { secret }
  const lifetime = DateTime.distance(yield* DateTime.now, expiresAt.value)
  return Duration.isPositive(lifetime)
    ? { secret, lifetime }
    : yield* new CommandError("unauthenticated", expired(service, from))
})

/** A credential that finds the token for a request. Without one, requests fail with what to do. */
export const lateCredential = (service: ServiceName.ServiceName, find: Effect.Effect<Found, Error>) =>
  Credential.fromToken(Effect.flatMap(find, (token) => usable(service, token)))
