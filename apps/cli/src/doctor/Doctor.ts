/** `vigil doctor`: checks the configuration and the connection to each service. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Source from "../events/Source.js"
import { Incomplete, type UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as ConfigFile from "../settings/ConfigFile.js"
import * as Connection from "../auth/Connection.js"
import * as Token from "../auth/Token.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Subscription from "../settings/Subscription.js"
import * as Check from "./Check.js"
import * as Connectivity from "./Connectivity.js"
import * as TokenChecks from "./TokenChecks.js"

interface Configuration {
  readonly embedded: Connection.Embedded | undefined
  /** With those of flags and of the sandbox, which win over all others. */
  readonly settings: Settings.All
  readonly subscription: SubscriptionId | undefined
  readonly apiVersion: ApiVersion.ApiVersion
}

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

type Invalid = Partial<Record<ConfigFile.Key, UsageError>>

const settings = (all: Settings.All, invalid: Invalid): ReadonlyArray<Check.Check> =>
  ConfigFile.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    const error = invalid[key]
    if (error !== undefined) return Check.failed(check, "invalid", error.message, setting?.from.name)
    return setting === undefined
      ? Check.skipped(check, `not set (${Settings.variable(key)})`)
      : Check.ok(check, Settings.display(setting), setting.from.name)
  })

const checkService = Effect.fnUntraced(
  function* ({ apiVersion, embedded, settings, subscription }: Configuration, service: ServiceName.ServiceName) {
    const url = settings[ServiceName.facts[service].baseUrlKey]?.value
    const token = yield* Connection.findToken(service, embedded, url)
    if (url === undefined) return []
    const { checks, isReachable } = yield* Connectivity.check(service, url)
    const { advice, found, token: current } = yield* Token.check(service, token)
    const from = "from" in token ? token.from.name : undefined
    const name = `${service} token`
    const local = [...checks, advice ? Check.failed(name, found, advice, from) : Check.ok(name, found, from)]
    if (!isReachable || advice !== undefined || current === undefined) return local
    const vendor = settings.healthVendor?.value
    const access = yield* service === "apps"
      ? TokenChecks.apps(url, current)
      : TokenChecks.health(url, current, vendor, subscription, apiVersion)
    return [...local, ...access]
  },
  (checks, _, service) =>
    Effect.catch(checks, ({ message }) => Effect.succeed([Check.failed(`${service} token`, "unusable", message)])),
)

const noService = Check.failed(
  "services",
  "no service is set",
  `Set ${ServiceName.all.map((name) => Settings.variable(ServiceName.facts[name].baseUrlKey)).join(" or ")}, or try --sandbox.`,
)

export const command = Command.make({
  description:
    "Check settings, URLs, TLS, the clock, tokens and the API version. Show the source of each setting and what to do. Exits with 1 if a check fails or warns.",
  examples: ["vigil doctor --sandbox", "vigil doctor --sandbox --output json"],
  flags: {
    sandbox: Connection.flags.sandbox,
    subscription: Source.subscription,
    apiVersion: Source.apiVersion,
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
        : Subscription.resolve(all.subscription.value, all.subscription.from.name),
    )
    const apiVersion = yield* Effect.result(Settings.apiVersion(flags.apiVersion))
    const configuration: Configuration = {
      embedded,
      settings: all,
      subscription: Result.getOrUndefined(subscription),
      apiVersion: Result.getOrElse(apiVersion, () => ApiVersion.latest),
    }
    const invalid: Invalid = {
      ...(Result.isFailure(subscription) ? { subscription: subscription.failure } : {}),
      ...(Result.isFailure(apiVersion) ? { apiVersion: apiVersion.failure } : {}),
    }
    const local = [...settingsFile(read), ...settings(all, invalid)]
    const remote = (yield* Effect.forEach(ServiceName.all, (service) => checkService(configuration, service), {
      concurrency: "unbounded",
    })).flat()
    const checks = [...local, ...(remote.length === 0 ? [noService] : remote)]
    yield* Format.list(format, Check.shape, Stream.make(checks))
    const problems = checks.filter(Check.isProblem)
    if (problems.length > 0)
      yield* new Incomplete({
        message: `${problems.length} of ${checks.length} checks found problems. ${problems.map(({ advice = "", check }) => `${check}: ${advice}`).join(" ")}`,
      })
  },
})
