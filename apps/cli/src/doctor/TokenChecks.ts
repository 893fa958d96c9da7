/** Checks of the token and of the API version. */
import * as Retry from "@vigil/core-http/Retry"
import * as StatusReason from "@vigil/core-http/StatusReason"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import * as Token from "../tokens/Token.js"
import * as TokenCheck from "../tokens/TokenCheck.js"
import { type Check, failed, ok, skipped } from "./Check.js"

export type Checks = Effect.Effect<ReadonlyArray<Check>, never, HttpClient.HttpClient>

/** No retries: the check reports the first failure. */
const options = { retry: Retry.none, timeout: "10 seconds" } as const

const failedAccess = (check: string, error: Failure.Described): Check => {
  const { reason } = error
  if (reason instanceof StatusReason.Unauthorized) return failed(check, "the token is rejected", Failure.plain(error))
  const isForbidden = reason instanceof StatusReason.Forbidden
  const found = isForbidden ? "permission denied" : Failure.isUnknownPath(error) ? "not found, check the vendor" : "no"
  return failed(check, found, Failure.plain(error))
}

const isAboutVersion = ({ reason }: Failure.Described): boolean =>
  reason instanceof StatusReason.ServiceFailure &&
  reason.status === 400 &&
  /api-?version/i.test(`${reason.code} ${reason.detail}`)

export const health = (
  baseUrl: string,
  token: Token.Available,
  vendor: string | undefined,
  subscription: SubscriptionId | undefined,
  apiVersion: ApiVersion.ApiVersion,
): Checks => {
  const [access, version] = ["health access", "health api-version"]
  if (subscription === undefined) {
    const advice = "To run this check, pass --subscription or set HEALTH_SUBSCRIPTION."
    return Effect.succeed([skipped(access, "no subscription is set", advice), skipped(version, "not checked")])
  }
  return Token.credential(token).pipe(
    Effect.flatMap((credential) => HealthClient.make({ ...options, baseUrl, credential, vendor })),
    Effect.flatMap(({ pagesBySubscription }) =>
      Stream.runDrain(Stream.take(pagesBySubscription(subscription, { apiVersion }), 1)),
    ),
    Effect.scoped,
    Effect.match({
      onSuccess: () => [ok(access, "the token is accepted"), ok(version, `${apiVersion} is accepted`)],
      onFailure: (error: Failure.Described) =>
        isAboutVersion(error)
          ? [skipped(access, "unknown"), failed(version, `${apiVersion} is rejected`, Failure.plain(error))]
          : [failedAccess(access, error), skipped(version, "unknown")],
    }),
  )
}

export const apps = (baseUrl: string, token: Token.Available): Checks =>
  Effect.match(TokenCheck.user(baseUrl, token), {
    onSuccess: ({ name }) => [ok("apps access", `the token of ${name ?? "a user"} is accepted`)],
    onFailure: (error: Failure.Described) => [failedAccess("apps access", error)],
  })
