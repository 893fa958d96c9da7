/** Checks that a service has a token that has not expired, for people. */
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import type * as Credential from "@vigil/core-http/Credential"
import * as Retry from "@vigil/core-http/Retry"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Failure from "../command/Failure.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Jwt from "./Jwt.js"
import * as Token from "./Token.js"

/** The user of a token of the app management service. Without retries, a check reports the first failure. */
export const user = (baseUrl: string, { token }: Token.Available) =>
  AppManagement.make({ baseUrl, apiToken: token, retry: Retry.none, timeout: "10 seconds" }).pipe(
    Effect.flatMap(({ user }) => user),
    Effect.scoped,
  )

/** When the token expires, to the second. `None` if that is unknown, or not a date. */
const expiry = ({ lifetime }: Credential.FetchedToken) =>
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
  return { _tag: "Available", token: fetched.accessToken, from: token.from, expiresAt: yield* expiry(fetched) }
})

/** Whether a token can be sent now. Without `advice`, it can. */
export interface State {
  readonly state: "signed in" | "not signed in" | "expired"
  readonly found: string
  readonly advice?: string
  readonly token?: Token.Available
}

/** For whom a token is, if it says so. */
const purpose = ({ audience, tenant }: Jwt.Claims): ReadonlyArray<string> => [
  ...(audience.length === 0 ? [] : [`for ${audience.join(" and ")}`]),
  ...(tenant === undefined ? [] : [`of the tenant ${tenant}`]),
]

/** Checks that there is a token that has not expired. Fetches it, if it is renewable. A JWT itself says when it expires. */
export const check = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  token: Token.Found,
): Effect.fn.Return<State> {
  const none = { state: "not signed in", advice: Token.explain(service, token) } as const
  if (token._tag === "None") return { ...none, found: "none" }
  if (token._tag === "OtherOrigin") return { ...none, found: `the token is for ${token.origin}` }
  const resolved = yield* Effect.result(resolve(token))
  if (Result.isFailure(resolved)) return { ...none, found: "not available", advice: Failure.plain(resolved.failure) }
  const claims = Jwt.claims(resolved.success.token)
  const expiresAt = Option.orElse(claims.expiresAt, () => resolved.success.expiresAt)
  const isValid = { state: "signed in", token: { ...resolved.success, expiresAt } } as const
  const found = (state: string) => [state, ...purpose(claims)].join(", ")
  if (Option.isNone(expiresAt)) return { ...isValid, found: found("present") }
  const until = DateTime.formatIso(expiresAt.value)
  if (yield* DateTime.isFuture(expiresAt.value)) return { ...isValid, found: found(`valid until ${until}`) }
  const { signIn, title } = ServiceName.facts[service]
  const advice = `The token of ${title} (${Token.describe(token.from)}) has expired. ${signIn}`
  return { ...isValid, state: "expired", found: found(`expired ${until}`), advice }
})
