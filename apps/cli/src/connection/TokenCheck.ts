/** Checks the token of a service: whether there is one that has not expired, and whether the service accepts it. */
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import type * as User from "@vigil/appmgmt-client/User"
import type * as Credential from "@vigil/core-http/Credential"
import * as Retry from "@vigil/core-http/Retry"
import * as StatusReason from "@vigil/core-http/StatusReason"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Failure from "../command/Failure.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Token from "../tokens/Token.js"
import * as Check from "./Check.js"
import * as Connection from "./Connection.js"

export type Checks = Effect.Effect<ReadonlyArray<Check.Check>, never, HttpClient.HttpClient>

/** No retries: a check reports the first failure. */
export const options = { retry: Retry.none, timeout: "10 seconds" } as const

/** The check of a request with the token that failed. */
export const failedAccess = (check: string, error: Failure.Described): Check.Check => {
  const { reason } = error
  const found =
    reason instanceof StatusReason.Unauthorized
      ? "the token is rejected"
      : reason instanceof StatusReason.Forbidden
        ? "permission denied"
        : Failure.isUnknownPath(error)
          ? "not found, check the vendor"
          : "no"
  return Check.failed(check, found, Failure.plain(error))
}

const nameOf = ({ display_name: displayName, email, name }: User.User): string =>
  [displayName ?? name ?? "a user", email === undefined || email === null ? "" : `<${email}>`].join(" ").trim()

/** Checks that the app management service accepts a token. The health events API has no request for the user. */
export const user = (baseUrl: string, { token }: Token.Available): Checks =>
  AppManagement.make({ ...options, baseUrl, apiToken: token }).pipe(
    Effect.flatMap(({ user }) => user),
    Effect.scoped,
    Effect.match({
      onSuccess: (user) => [Check.ok("apps access", `the token of ${nameOf(user)} is accepted`)],
      onFailure: (error: Failure.Described) => [failedAccess("apps access", error)],
    }),
  )

/** When the token expires, to the second. `None` if that is unknown, or not a date. */
const expiry = ({ lifetime }: Credential.FetchedSecret) =>
  Effect.map(DateTime.now, (now) =>
    Option.flatMap(Option.fromUndefinedOr(lifetime), (left) =>
      DateTime.make(Math.round((DateTime.toEpochMillis(now) + Duration.toMillis(left)) / 1000) * 1000),
    ),
  )

/** Fetches the token, if it is renewable. */
const resolve = Effect.fnUntraced(function* (
  token: Token.Available | Token.Renewable,
): Effect.fn.Return<Token.Available, Token.FetchError> {
  if (token._tag === "Available") return token
  const fetched = yield* token.fetch
  return { _tag: "Available", token: fetched.secret, from: token.from, expiresAt: yield* expiry(fetched) }
})

const parseJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** A claim that fits in a line. */
const isText = (value: unknown): value is string => typeof value === "string" && /^[\x21-\x7e]{1,200}$/.test(value)

/** When a token expires, and for whom it is, if it is a JSON Web Token. Its signature is not checked: that is the task of the service. */
const claims = (token: Redacted.Redacted) => {
  const [, payload = "", signature] = Redacted.value(token).split(".")
  const value = signature === undefined ? Option.none() : parseJson(Buffer.from(payload, "base64url").toString())
  const { aud, exp, tid }: Readonly<Record<string, unknown>> =
    Option.isSome(value) && Predicate.isObject(value.value) ? value.value : {}
  const audience = [aud].flat().filter(isText)
  return {
    expiresAt: typeof exp === "number" ? DateTime.make(exp * 1000) : Option.none(),
    purpose: [
      ...(audience.length === 0 ? [] : [`for ${audience.join(" and ")}`]),
      ...(isText(tid) ? [`of the tenant ${tid}`] : []),
    ],
  }
}

/** The check, and the token if it can be sent now. */
interface Checked {
  readonly check: Check.Check
  readonly token?: Token.Available
}

/** The expiry of a JSON Web Token itself wins. */
const examine = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  token: Token.Found,
): Effect.fn.Return<Checked> {
  const name = `${service} token`
  const advice = Token.explain(service, token)
  if (token._tag === "None") return { check: Check.failed(name, "none", advice) }
  const from = Token.describe(token.from)
  if (token._tag === "OtherOrigin")
    return { check: Check.failed(name, `the token is for ${token.origin}`, advice, from) }
  const resolved = yield* Effect.result(resolve(token))
  if (Result.isFailure(resolved))
    return { check: Check.failed(name, "not available", Failure.plain(resolved.failure), from) }
  const { purpose, ...own } = claims(resolved.success.token)
  const expiresAt = Option.orElse(own.expiresAt, () => resolved.success.expiresAt)
  const valid = { ...resolved.success, expiresAt }
  const found = (state: string) => [state, ...purpose].join(", ")
  if (Option.isNone(expiresAt)) return { check: Check.ok(name, found("present"), from), token: valid }
  const until = DateTime.formatIso(expiresAt.value)
  if (yield* DateTime.isFuture(expiresAt.value))
    return { check: Check.ok(name, found(`valid until ${until}`), from), token: valid }
  return { check: Check.failed(name, found(`expired ${until}`), Token.expired(service, token.from), from) }
})

/** Without a base URL, no token is sent. */
const withoutUrl = (service: ServiceName.ServiceName, token: Token.Found): Checked => {
  const { baseUrlKey, title } = ServiceName.facts[service]
  const stored = token._tag === "OtherOrigin" ? `A token of ${title} is stored for ${token.origin}. ` : ""
  const advice = `${stored}The base URL of ${title} is not set: ${service === "health" ? "run vigil init, or " : ""}set ${Settings.variable(baseUrlKey)}.`
  return { check: Check.failed(`${service} token`, "no base URL is set", advice) }
}

/** Checks that there is a token for a base URL that has not expired. Fetches it, if it is renewable. */
export const check = (
  service: ServiceName.ServiceName,
  embedded: Connection.Embedded | undefined,
  baseUrl: string | undefined,
) =>
  Connection.findToken(service, embedded, baseUrl).pipe(
    Effect.flatMap((token) =>
      baseUrl === undefined ? Effect.succeed(withoutUrl(service, token)) : examine(service, token),
    ),
    Effect.catch(({ message }) =>
      Effect.succeed<Checked>({ check: Check.failed(`${service} token`, "unusable", message) }),
    ),
  )
