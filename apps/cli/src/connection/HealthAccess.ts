/** Checks that the health events service accepts the token for each subscription, and the API version. */
import * as HealthConnection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Tenant from "@vigil/health-client/Tenant"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { supportedVersions } from "@vigil/health-schema/VersionRejection"
import * as EventList from "@vigil/health-verdict/EventList"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import * as Check from "./Check.js"
import * as Subscriptions from "./Subscriptions.js"
import * as TokenCheck from "./TokenCheck.js"
import * as Settings from "../settings/Settings.js"
import * as Token from "../tokens/Token.js"

const isAboutVersion = ({ reason }: Failure.Described): boolean => supportedVersions(reason) !== undefined

interface Access {
  readonly baseUrl: string
  readonly token: Token.Available
  readonly vendor: string | undefined
  readonly lists: ReadonlyArray<{ readonly id: SubscriptionId; readonly title: string }>
  readonly apiVersion: ApiVersion.ApiVersion
}

const [access, version, tenant] = ["health access", "health api-version", "health tenant"]

/** Runs requests with the token. */
const request = <A, E extends Failure.Described>(
  { baseUrl, token, vendor }: Access,
  run: (client: HealthClient.Service) => Effect.Effect<A, E>,
) =>
  Effect.flatMap(Token.credential(token), (credential) =>
    HealthConnection.make({ ...TokenCheck.options, baseUrl, vendor, credential }),
  ).pipe(
    Effect.flatMap((service) => run(HealthClient.make(service))),
    Effect.scoped,
  )

/** Returns the error of the first page of each subscription. */
const readEach = (options: Access) =>
  Effect.forEach(
    options.lists,
    (list) =>
      request(options, ({ pagesBySubscription }) =>
        Stream.runDrain(Stream.take(pagesBySubscription(list.id, { apiVersion: options.apiVersion }), 1)),
      ).pipe(
        Effect.match({ onSuccess: () => undefined, onFailure: (error: Failure.Described) => error }),
        Effect.map((error) => ({ ...list, error })),
      ),
    { concurrency: Subscriptions.concurrency },
  )

type Found = Effect.Success<ReturnType<typeof readEach>>

/** Reads the events of the tenant. `isOutside`: the token may not read them, or there is no such list. */
const readTenant = (options: Access, found: Found) =>
  Effect.map(
    request(options, (client) =>
      EventList.read(Tenant.tenant, { apiVersion: options.apiVersion, describe: Failure.plain }).pipe(
        Effect.provideService(HealthClient.HealthClient, client),
      ),
    ),
    (list) => ({
      ...list,
      isOutside: EventList.isOutside(
        list,
        found.map(({ error }) => ({ problem: error?.message })),
      ),
    }),
  )

/** Whether the token can read subscriptions, and not the tenant. */
export const isTenantOutside = (options: Access) =>
  Effect.flatMap(readEach(options), (found) =>
    found.some(({ error }) => error === undefined)
      ? Effect.map(readTenant(options, found), ({ isOutside }) => isOutside)
      : Effect.succeed(false),
  )

const checkTenant = (options: Access, found: Found) =>
  readTenant(options, found).pipe(
    Effect.map(({ isOutside, problem }) => {
      if (problem === undefined) return Check.ok(tenant, "its events can be read")
      if (!isOutside) return Check.failed(tenant, "its events can't be read", problem)
      const advice = `${problem} Answers say that the tenant lacks. To leave it out, set ${Settings.variable("healthWithoutTenant")}=1, or healthWithoutTenant to true in the settings file.`
      return Check.skipped(tenant, "its events may not be read", advice)
    }),
    Effect.catch((error: Failure.Described) => Effect.succeed(Check.failed(tenant, "unknown", Failure.plain(error)))),
  )

const checkOne = ({ error, title }: Found[number], { length }: Found): Check.Check => {
  const check = length === 1 ? access : `${access}: ${title}`
  if (error === undefined) return Check.ok(check, "the token is accepted")
  return isAboutVersion(error) ? Check.skipped(check, "unknown") : TokenCheck.failedAccess(check, error)
}

export const check = Effect.fnUntraced(function* ({
  withoutTenant,
  ...options
}: Access & { readonly withoutTenant: boolean }) {
  const { apiVersion, lists } = options
  if (lists.length === 0) {
    const advice = "To run this check, pass --subscription or set HEALTH_SUBSCRIPTION."
    return [Check.skipped(access, "no subscription is set", advice), Check.skipped(version, "not checked")]
  }
  const found = yield* readEach(options)
  const rejection = found.find(({ error }) => error !== undefined && isAboutVersion(error))?.error
  const isRead = found.some(({ error }) => error === undefined)
  const ofVersion =
    rejection !== undefined
      ? Check.failed(version, `${apiVersion} is rejected`, Failure.plain(rejection))
      : isRead
        ? Check.ok(version, `${apiVersion} is accepted`)
        : Check.skipped(version, "unknown")
  const ofTenant = withoutTenant
    ? Check.skipped(tenant, "left out")
    : isRead
      ? yield* checkTenant(options, found)
      : Check.skipped(tenant, "not checked")
  return [...found.map((one) => checkOne(one, found)), ofTenant, ofVersion]
})
