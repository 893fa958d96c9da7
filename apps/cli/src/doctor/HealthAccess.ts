/** Checks that the health events service accepts the token for each subscription, and the API version. */
import * as HealthConnection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { supportedVersions } from "@vigil/health-schema/VersionRejection"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import * as Check from "../connection/Check.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as TokenCheck from "../connection/TokenCheck.js"
import * as Token from "../tokens/Token.js"

const isAboutVersion = ({ reason }: Failure.Described): boolean => supportedVersions(reason) !== undefined

interface Access {
  readonly baseUrl: string
  readonly token: Token.Available
  readonly vendor: string | undefined
  readonly lists: ReadonlyArray<{ readonly id: SubscriptionId; readonly title: string }>
  readonly apiVersion: ApiVersion.ApiVersion
}

const [access, version] = ["health access", "health api-version"]

export const check = Effect.fnUntraced(function* ({ apiVersion, lists, token, ...options }: Access) {
  if (lists.length === 0) {
    const advice = "To run this check, pass --subscription or set HEALTH_SUBSCRIPTION."
    return [Check.skipped(access, "no subscription is set", advice), Check.skipped(version, "not checked")]
  }
  const service = Effect.flatMap(Token.credential(token), (credential) =>
    HealthConnection.make({ ...TokenCheck.options, ...options, credential }),
  )
  const read = (id: SubscriptionId) =>
    Effect.flatMap(service, (service) =>
      Stream.runDrain(Stream.take(HealthClient.make(service).pagesBySubscription(id, { apiVersion }), 1)),
    ).pipe(Effect.scoped, Effect.match({ onSuccess: () => undefined, onFailure: (error: Failure.Described) => error }))
  const checkOne = ({ id, title }: Access["lists"][number]) =>
    Effect.map(read(id), (error) => {
      const check = lists.length === 1 ? access : `${access}: ${title}`
      if (error === undefined) return { error, check: Check.ok(check, "the token is accepted") }
      return {
        error,
        check: isAboutVersion(error) ? Check.skipped(check, "unknown") : TokenCheck.failedAccess(check, error),
      }
    })
  const found = yield* Effect.forEach(lists, checkOne, { concurrency: Subscriptions.concurrency })
  const rejection = found.find(({ error }) => error !== undefined && isAboutVersion(error))?.error
  const ofVersion =
    rejection !== undefined
      ? Check.failed(version, `${apiVersion} is rejected`, Failure.plain(rejection))
      : found.some(({ error }) => error === undefined)
        ? Check.ok(version, `${apiVersion} is accepted`)
        : Check.skipped(version, "unknown")
  return [...found.map(({ check }) => check), ofVersion]
})
