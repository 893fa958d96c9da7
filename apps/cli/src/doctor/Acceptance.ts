/** Checks of the token and of the API version. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Token from "../auth/Token.js"
import * as Failure from "../Failure.js"
import * as ServiceName from "../settings/ServiceName.js"
import type { Check } from "./Check.js"

type Held = Extract<Token.Found, { _tag: "Token" }>

/** No retries: the check reports the first failure. */
const manner = { retry: RetryPolicy.none, timeout: "10 seconds" } as const

export const presence = (service: ServiceName.ServiceName, found: Token.Found): Effect.Effect<Check> =>
  Effect.map(DateTime.now, (now): Check => {
    const { login, token } = ServiceName.facts[service]
    const check = `${service} token`
    const advice = `Run ${login}, or set ${token}.`
    if (found._tag === "None") return { check, result: "failed", found: "none", advice }
    const from = found.from.name
    if (found._tag === "Elsewhere")
      return { check, result: "failed", found: `the one that is kept is for ${found.origin}`, from, advice }
    if (Option.isNone(found.expiresAt)) return { check, result: "ok", found: "there is one", from }
    const until = DateTime.formatIso(found.expiresAt.value)
    return DateTime.lessThan(now, found.expiresAt.value)
      ? { check, result: "ok", found: `valid until ${until}`, from }
      : { check, result: "failed", found: `expired ${until}`, from, advice }
  })

interface Refusal {
  readonly _tag: string
  readonly message: string
  readonly operation?: string | undefined
  readonly status?: number
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

const failedAccess = (check: string, error: Refusal): Check => ({
  check,
  result: "failed",
  found:
    error._tag === "Unauthorized"
      ? "the token is refused"
      : error._tag === "Forbidden"
        ? "the token has no right"
        : "no",
  advice: Failure.plain(error),
})

const isAboutVersion = ({ code = "", detail = "", status }: Refusal): boolean =>
  status === 400 && /api-?version/i.test(`${code} ${detail}`)

const skipped = (check: string, found: string, advice?: string): Check => ({ check, result: "skipped", found, advice })

export const health = (
  address: string,
  held: Held,
  vendor: string | undefined,
  subscription: Option.Option<SubscriptionId>,
  apiVersion: ApiVersion.ApiVersion,
): Effect.Effect<ReadonlyArray<Check>, never, HttpClient.HttpClient> => {
  const [access, version] = ["health access", "health api-version"]
  if (Option.isNone(subscription)) {
    const advice = "To have this checked, give --subscription, or set HEALTH_SUBSCRIPTION."
    return Effect.succeed([skipped(access, "no subscription is set", advice), skipped(version, "not asked")])
  }
  return HealthClient.make({ ...manner, baseUrl: address, credential: Token.bearer(held), vendor }).pipe(
    Effect.flatMap(({ pagesBySubscription }) =>
      Stream.runDrain(Stream.take(pagesBySubscription(subscription.value, { apiVersion }), 1)),
    ),
    Effect.scoped,
    Effect.match({
      onSuccess: (): ReadonlyArray<Check> => [
        { check: access, result: "ok", found: "the token is accepted" },
        { check: version, result: "ok", found: `${apiVersion} is accepted` },
      ],
      onFailure: (error: Refusal): ReadonlyArray<Check> =>
        isAboutVersion(error)
          ? [
              skipped(access, "not told"),
              {
                check: version,
                result: "failed",
                found: `${apiVersion} is refused`,
                advice: Failure.plain(error),
              },
            ]
          : [failedAccess(access, error), skipped(version, "not told")],
    }),
  )
}

export const apps = (
  address: string,
  { token }: Held,
): Effect.Effect<ReadonlyArray<Check>, never, HttpClient.HttpClient> =>
  AppManagement.make({ ...manner, baseUrl: address, apiToken: token }).pipe(
    Effect.flatMap(({ user }) => user),
    Effect.scoped,
    Effect.match({
      onSuccess: ({ name }): ReadonlyArray<Check> => [
        { check: "apps access", result: "ok", found: `the token of ${name ?? "a user"} is accepted` },
      ],
      onFailure: (error: Refusal) => [failedAccess("apps access", error)],
    }),
  )
