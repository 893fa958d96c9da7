/** `vigil doctor`: checks the configuration and the connection to each service. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import { Incomplete } from "../command/Incomplete.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import type { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Token from "../tokens/Token.js"
import * as TokenCheck from "../tokens/TokenCheck.js"
import * as Check from "./Check.js"
import * as Connectivity from "./Connectivity.js"
import * as TokenChecks from "./TokenChecks.js"

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
  invalid: { readonly [K in Settings.Key]?: UsageError | undefined },
): ReadonlyArray<Check.Check> =>
  Settings.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    const error = invalid[key]
    if (error !== undefined) return Check.failed(check, "invalid", error.message, setting?.from.name)
    return setting === undefined
      ? Check.skipped(check, `not set (${Settings.variable(key)})`)
      : Check.ok(check, Settings.display(setting), setting.from.name)
  })

/** The checks of a service whose base URL is set. `checkAccess` sends a request with its token. */
const checkService = Effect.fnUntraced(
  function* (
    service: ServiceName.ServiceName,
    url: string | undefined,
    embedded: Connection.Embedded | undefined,
    checkAccess: (url: string, token: Token.Available) => TokenChecks.Checks,
  ) {
    const token = yield* Connection.findToken(service, embedded, url)
    if (url === undefined) return []
    const { checks, isReachable } = yield* Connectivity.check(service, url)
    const { advice, found, token: current } = yield* TokenCheck.check(service, token)
    const from = "from" in token ? Token.describe(token.from) : undefined
    const name = `${service} token`
    const local = [...checks, advice ? Check.failed(name, found, advice, from) : Check.ok(name, found, from)]
    return isReachable && advice === undefined && current !== undefined
      ? [...local, ...(yield* checkAccess(url, current))]
      : local
  },
  (checks, service) =>
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
    const local = [...settingsFile(read), ...settings(all, invalid)]
    const version: ApiVersion.Known = Result.getOrElse(apiVersion, () => ApiVersion.latest)
    const id = Result.getOrUndefined(subscription)
    const remote = (yield* Effect.all(
      [
        checkService("health", all.healthBaseUrl?.value, embedded, (url, token) =>
          TokenChecks.health(url, token, all.healthVendor?.value, id, version),
        ),
        checkService("apps", all.appmgmtBaseUrl?.value, embedded, TokenChecks.apps),
      ],
      { concurrency: "unbounded" },
    )).flat()
    const checks = [...local, ...(remote.length === 0 ? [noService] : remote)]
    yield* Format.list(format, Check.definition, Stream.make(checks))
    const problems = checks.filter(Check.isProblem)
    if (problems.length > 0)
      yield* new Incomplete({
        message: `${problems.length} of ${checks.length} checks found problems. ${problems.map(({ advice = "", check }) => `${check}: ${advice}`).join(" ")}`,
      })
  },
})
