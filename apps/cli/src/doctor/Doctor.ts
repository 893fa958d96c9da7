/** `vigil doctor`: checks the configuration and the connection to each service. */
import * as StatusReason from "@vigil/core-http/StatusReason"
import * as HealthConnection from "@vigil/health-client/Connection"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Failure from "../command/Failure.js"
import * as Check from "../connection/Check.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as TokenCheck from "../connection/TokenCheck.js"
import type { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import type * as SubscriptionNames from "../settings/SubscriptionNames.js"
import * as Token from "../tokens/Token.js"
import * as Connectivity from "./Connectivity.js"

interface Flags {
  readonly subscription: string | undefined
  readonly apiVersion: ApiVersion.Known | undefined
}

const overrides = (embedded: Connection.Embedded | undefined, flags: Flags): Settings.All => {
  const flagged = (name: string, value: string): Settings.Setting => ({ value, from: { kind: "flag", name } })
  const ofSandbox = ({ from, sandbox }: Connection.Embedded): Settings.All => {
    const baseUrl = { value: sandbox.baseUrl, from }
    const subscription = { value: sandbox.world.subscriptions[0].id, from }
    return { healthBaseUrl: baseUrl, appmgmtBaseUrl: baseUrl, portalUrl: baseUrl, subscription }
  }
  return {
    ...(embedded && ofSandbox(embedded)),
    ...(flags.subscription && { subscription: flagged("--subscription", flags.subscription) }),
    ...(flags.apiVersion && { apiVersion: flagged("--api-version", flags.apiVersion) }),
  }
}

const settingsFile = ({ broken, file, ignored }: Settings.Service): ReadonlyArray<Check.Check> => [
  ...(broken ? [Check.failed("settings file", "unusable", broken.message, file)] : []),
  ...(ignored ? [Check.warning("settings file", "ignored", ignored, file)] : []),
]

const settings = (
  all: Settings.All,
  names: SubscriptionNames.SubscriptionNames,
  invalid: { readonly [K in Settings.Key]?: UsageError | undefined },
): ReadonlyArray<Check.Check> =>
  Settings.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    const error = invalid[key]
    if (error !== undefined) return Check.failed(check, "invalid", error.message, setting?.from.name)
    if (setting === undefined) return Check.skipped(check, `not set (${Settings.variable(key)})`)
    const shown = Settings.display(setting)
    const isName = key === "subscription" && shown === setting.value
    return Check.ok(check, isName ? names.title(names.idOf(shown)) : shown, setting.from.name)
  })

const isAboutVersion = ({ reason }: Failure.Described): boolean =>
  reason instanceof StatusReason.ServiceFailure &&
  reason.status === 400 &&
  /api-?version/i.test(`${reason.code} ${reason.detail}`)

/** Checks that the health events service accepts a token and the API version. */
const healthAccess = (
  baseUrl: string,
  token: Token.Available,
  vendor: string | undefined,
  subscription: SubscriptionId | undefined,
  apiVersion: ApiVersion.ApiVersion,
): TokenCheck.Checks => {
  const [access, version] = ["health access", "health api-version"]
  if (subscription === undefined) {
    const advice = "To run this check, pass --subscription or set HEALTH_SUBSCRIPTION."
    return Effect.succeed([
      Check.skipped(access, "no subscription is set", advice),
      Check.skipped(version, "not checked"),
    ])
  }
  return Token.credential(token).pipe(
    Effect.flatMap((credential) => HealthConnection.make({ ...TokenCheck.options, baseUrl, credential, vendor })),
    Effect.flatMap((service) =>
      Stream.runDrain(Stream.take(HealthClient.make(service).pagesBySubscription(subscription, { apiVersion }), 1)),
    ),
    Effect.scoped,
    Effect.match({
      onSuccess: () => [Check.ok(access, "the token is accepted"), Check.ok(version, `${apiVersion} is accepted`)],
      onFailure: (error: Failure.Described) =>
        isAboutVersion(error)
          ? [Check.skipped(access, "unknown"), Check.failed(version, `${apiVersion} is rejected`, Failure.plain(error))]
          : [TokenCheck.failedAccess(access, error), Check.skipped(version, "unknown")],
    }),
  )
}

/** The checks of a service whose base URL is set. `checkAccess` sends a request with its token. */
const checkService = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  url: string | undefined,
  embedded: Connection.Embedded | undefined,
  checkAccess: (url: string, token: Token.Available) => TokenCheck.Checks,
) {
  if (url === undefined) return []
  const { checks, isReachable } = yield* Connectivity.check(service, url)
  const { check, token } = yield* TokenCheck.check(service, embedded, url)
  const access = isReachable && token !== undefined ? yield* checkAccess(url, token) : []
  return [...checks, check, ...access]
})

const noService = Check.failed(
  "services",
  "no service is set",
  `Run vigil init, set ${ServiceName.all.map((name) => Settings.variable(ServiceName.facts[name].baseUrlKey)).join(" or ")}, or try --sandbox.`,
)

export const command = Command.make({
  description:
    "Check settings, URLs, TLS, the clock, tokens and the API version. Show the source of each setting and what to do. Exits with 1 if a check fails or warns.",
  examples: ["vigil doctor --sandbox", "vigil doctor --sandbox --output json"],
  flags: {
    sandbox: Connection.flags.sandbox,
    subscription: Subscriptions.flag,
    apiVersion: Connection.apiVersion,
    output: Format.flag,
  },
  requiresSettings: false,
  run: function* ({ output: format, sandbox, ...flags }) {
    const read = yield* Settings.Settings
    const embedded = yield* Connection.embedded({ sandbox, baseUrl: undefined })
    const all = { ...read.all, ...overrides(embedded, flags) }
    const subscription = yield* Effect.result(
      all.subscription === undefined
        ? Effect.undefined
        : Settings.subscription(all.subscription.value, all.subscription.from.name),
    )
    const apiVersion = yield* Effect.result(Settings.apiVersion(flags.apiVersion))
    const invalid = {
      subscription: Option.getOrUndefined(Result.getFailure(subscription)),
      apiVersion: Option.getOrUndefined(Result.getFailure(apiVersion)),
    }
    const local = [...settingsFile(read), ...settings(all, read.names, invalid)]
    const version: ApiVersion.Known = Result.getOrElse(apiVersion, () => ApiVersion.latest)
    const id = Result.getOrUndefined(subscription)
    const remote = (yield* Effect.all(
      [
        checkService("health", all.healthBaseUrl?.value, embedded, (url, token) =>
          healthAccess(url, token, all.healthVendor?.value, id, version),
        ),
        checkService("apps", all.appmgmtBaseUrl?.value, embedded, TokenCheck.user),
      ],
      { concurrency: "unbounded" },
    )).flat()
    const checks = [...local, ...(remote.length === 0 ? [noService] : remote)]
    yield* Check.print(format, checks)
  },
})
