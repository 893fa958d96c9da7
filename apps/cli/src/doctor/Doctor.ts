/** `vigil doctor`: checks the configuration and the connection to each service. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Command from "../command/Command.js"
import * as Check from "../connection/Check.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as TokenCheck from "../connection/TokenCheck.js"
import type { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as SubscriptionList from "../settings/SubscriptionList.js"
import type * as Token from "../tokens/Token.js"
import * as Connectivity from "./Connectivity.js"
import * as HealthAccess from "../connection/HealthAccess.js"

interface Flags {
  readonly subscription: ReadonlyArray<string>
  readonly apiVersion: ApiVersion.ApiVersion | undefined
}

const flagged = (name: string): Settings.From => ({ kind: "flag", name })

const overrides = (embedded: Connection.Embedded | undefined, { apiVersion }: Flags): Settings.All => {
  const ofSandbox = ({ from, sandbox }: Connection.Embedded): Settings.All => {
    const baseUrl = { value: sandbox.baseUrl, from }
    return { healthBaseUrl: baseUrl, appmgmtBaseUrl: baseUrl, portalUrl: baseUrl }
  }
  return {
    ...(embedded && ofSandbox(embedded)),
    ...(apiVersion && { apiVersion: { value: apiVersion, from: flagged("--api-version") } }),
  }
}

const settingsFile = ({ broken, file, ignored }: Settings.Service): ReadonlyArray<Check.Check> => [
  ...(broken ? [Check.failed("settings file", "unusable", broken.message, file)] : []),
  ...(ignored ? [Check.warning("settings file", "ignored", ignored, file)] : []),
]

const settings = (
  all: Settings.All,
  invalid: { readonly [K in Settings.Key]?: UsageError | undefined },
): ReadonlyArray<Check.Check> =>
  Settings.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    const error = invalid[key]
    if (error !== undefined) return Check.failed(check, "invalid", error.message, setting?.from.name)
    if (setting === undefined) return Check.skipped(check, `not set (${Settings.variable(key)})`)
    return Check.ok(check, Settings.display(setting), setting.from.name)
  })

/** The subscriptions that commands read, and the check of their setting. */
const checkSubscriptions = Effect.fnUntraced(function* (
  embedded: Connection.Embedded | undefined,
  { subscription }: Flags,
) {
  const check = "setting subscriptions"
  const { subscriptions } = yield* Settings.Settings
  const sandbox = embedded?.sandbox
  const names = yield* Connection.namesOf(sandbox)
  const from = subscription.length > 0 ? flagged("--subscription") : (embedded?.from ?? subscriptions?.from)
  if (from === undefined) {
    const found = `not set (${SubscriptionList.variable})`
    return { lists: [], check: Check.skipped(check, found) }
  }
  const ids = yield* Effect.result(Subscriptions.several({ names, sandbox }, { subscription }))
  return Result.match(ids, {
    onFailure: ({ message }) => ({ lists: [], check: Check.failed(check, "invalid", message, from.name) }),
    onSuccess: (ids) => ({
      lists: ids.map((id) => ({ id, title: names.title(id) })),
      check: Check.ok(check, ids.length === 1 ? names.title(ids.join("")) : names.summary(ids), from.name),
    }),
  })
})

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
    "Check settings, URLs, TLS, the clock, tokens, each subscription and the API version. Show the source of each setting and what to do. Exits with 1 if a check fails or warns.",
  examples: ["vigil doctor --sandbox", "vigil doctor --sandbox --output json"],
  flags: {
    sandbox: Connection.flags.sandbox,
    subscription: Subscriptions.repeated,
    apiVersion: Connection.apiVersion,
    output: Format.flag,
  },
  requiresSettings: false,
  run: function* ({ output: format, sandbox, ...flags }) {
    const read = yield* Settings.Settings
    const embedded = yield* Connection.embedded({ sandbox, baseUrl: undefined })
    const all = { ...read.all, ...overrides(embedded, flags) }
    const { check, lists } = yield* checkSubscriptions(embedded, flags)
    const apiVersion = yield* Effect.result(Settings.apiVersion(flags.apiVersion))
    const withoutTenant = yield* Effect.result(Settings.withoutTenant)
    const invalid = {
      apiVersion: Option.getOrUndefined(Result.getFailure(apiVersion)),
      healthWithoutTenant: Option.getOrUndefined(Result.getFailure(withoutTenant)),
    }
    const local = [...settingsFile(read), ...settings(all, invalid), check]
    const version: ApiVersion.ApiVersion = Result.getOrElse(apiVersion, () => ApiVersion.defaultVersion)
    const remote = (yield* Effect.all(
      [
        checkService("health", all.healthBaseUrl?.value, embedded, (baseUrl, token) =>
          HealthAccess.check({
            baseUrl,
            token,
            vendor: all.healthVendor?.value,
            lists,
            apiVersion: version,
            withoutTenant: embedded === undefined && Result.getOrElse(withoutTenant, () => false),
          }),
        ),
        checkService("apps", all.appmgmtBaseUrl?.value, embedded, TokenCheck.user),
      ],
      { concurrency: "unbounded" },
    )).flat()
    const checks = [...local, ...(remote.length === 0 ? [noService] : remote)]
    yield* Check.print(format, checks)
  },
})
