/** `vigil doctor`: checks the configuration and the connection to each service. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Source from "../events/Source.js"
import { Incomplete, type UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as ConfigFile from "../settings/ConfigFile.js"
import * as Connection from "../settings/Connection.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Acceptance from "./Acceptance.js"
import * as Check from "./Check.js"
import * as Connectivity from "./Connectivity.js"

interface Ground {
  readonly embedded: Option.Option<Connection.Embedded>
  readonly settings: Settings.All
  readonly subscription: Option.Option<SubscriptionId>
  readonly apiVersion: ApiVersion.ApiVersion
}

interface Flags {
  readonly subscription: Option.Option<SubscriptionId>
  readonly apiVersion: Option.Option<ApiVersion.ApiVersion>
}

/** Settings from flags and from the sandbox, which win over all others. */
const overruling = ({ embedded, subscription }: Ground, flags: Flags) => {
  const flagged = (name: string, value: string): Settings.Setting => ({ value, from: { kind: "flag", name } })
  return {
    ...(Option.isSome(embedded)
      ? Object.fromEntries(
          ServiceName.all.map((name) => [
            ServiceName.facts[name].address,
            { value: embedded.value.sandbox.baseUrl, from: embedded.value.from },
          ]),
        )
      : {}),
    ...(Option.isSome(embedded) && Option.isSome(subscription)
      ? { subscription: { value: subscription.value, from: embedded.value.from } }
      : {}),
    ...(Option.isSome(flags.subscription) ? { subscription: flagged("--subscription", flags.subscription.value) } : {}),
    ...(Option.isSome(flags.apiVersion) ? { apiVersion: flagged("--api-version", flags.apiVersion.value) } : {}),
  }
}

const failed = (check: string, found: string, error: UsageError, from?: string): Check.Check => ({
  check,
  result: "failed",
  found,
  from,
  advice: error.message,
})

const files = ({ broken, ignored }: Settings.Read): ReadonlyArray<Check.Check> => [
  ...broken.map(({ error, file }) => failed("settings file", "can't be used", error, file)),
  ...ignored.map((one): Check.Check => ({
    check: "settings file",
    result: "warning",
    found: "ignored",
    from: one.file,
    advice: Settings.ignoredSentence(one),
  })),
]

type Invalid = Partial<Record<ConfigFile.Key, UsageError>>

const settings = (all: Settings.All, refused: Settings.Read["refused"], invalid: Invalid): ReadonlyArray<Check.Check> =>
  ConfigFile.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    const error = invalid[key]
    if (error !== undefined) return failed(check, "invalid", error, setting?.from.name)
    const untrusted = refused[key]
    if (setting === undefined && untrusted !== undefined)
      return failed(check, "not trusted", untrusted.error, untrusted.file)
    return setting === undefined
      ? { check, result: "skipped", found: `not set (${Settings.variable(key)})` }
      : { check, result: "ok", found: Settings.shown(setting), from: setting.from.name }
  })

const accepted = (
  ground: Ground,
  service: ServiceName.ServiceName,
  address: string,
  found: Connection.Access["found"],
) =>
  Effect.gen(function* () {
    if (found._tag !== "Token") return []
    if (service === "apps") return yield* Acceptance.apps(address, found)
    const vendor = ground.settings.healthVendor?.value
    return yield* Acceptance.health(address, found, vendor, ground.subscription, ground.apiVersion)
  })

const checked = (ground: Ground, service: ServiceName.ServiceName) =>
  Effect.gen(function* () {
    const address = Option.fromNullable(ground.settings[ServiceName.facts[service].address])
    const way = yield* Connection.find(service, ground.embedded, address)
    if (Option.isNone(way.address)) return []
    const { value } = way.address.value
    const { checks, isReached } = yield* Connectivity.of(service, value)
    const token = yield* Acceptance.presence(service, way.found)
    const isAsked = isReached && token.result === "ok"
    return [...checks, token, ...(isAsked ? yield* accepted(ground, service, value, way.found) : [])]
  }).pipe(
    Effect.catchTag("SecretFileError", ({ message }) =>
      Effect.succeed<ReadonlyArray<Check.Check>>([
        { check: `${service} token`, result: "failed", found: "can't be used", advice: message },
      ]),
    ),
  )

const noService: Check.Check = {
  check: "services",
  result: "failed",
  found: "no service is set",
  advice: `Set ${ServiceName.all.map((name) => Settings.variable(ServiceName.facts[name].address)).join(" or ")}, or try --sandbox.`,
}

/** From the flag, the sandbox or the settings. An invalid flag fails the command; an invalid setting is a check. */
const subscriptionOf = (embedded: Option.Option<Connection.Embedded>, flags: Flags, { subscription }: Settings.All) =>
  Effect.gen(function* () {
    if (Option.isSome(flags.subscription) || Option.isSome(embedded)) {
      const sandbox = Option.map(embedded, ({ sandbox }) => sandbox)
      return Either.right(Option.some(yield* Source.subscriptionOf({ sandbox }, flags.subscription)))
    }
    return subscription === undefined
      ? Either.right(Option.none())
      : yield* Effect.either(Effect.asSome(Source.parseSubscription(subscription.value, subscription.from.name)))
  })

const apiVersionOf = ({ apiVersion }: Flags, settings: Settings.All) =>
  Effect.either(Option.isSome(apiVersion) ? Effect.succeed(apiVersion.value) : Settings.apiVersionOf(settings))

export const command = Command.make({
  name: "doctor",
  description:
    "Check settings, URLs, TLS, the clock, tokens and the API version, and say where each setting comes from and what to do. Exits with 1 if something is wrong.",
  examples: ["vigil doctor --sandbox", "vigil doctor --sandbox --output json"],
  flags: {
    sandbox: Connection.flags.sandbox,
    subscription: Source.subscription,
    apiVersion: Source.apiVersionFlag,
    output: Format.flag,
  },
  notesIgnoredFiles: false,
  run: ({ output: format, sandbox, ...flags }) =>
    Effect.gen(function* () {
      const read = yield* Settings.read
      const all = read.settings
      const embedded = yield* Connection.embeddedBy(sandbox, Effect.succeed(all.healthVendor?.value))
      const subscription = yield* subscriptionOf(embedded, flags, all)
      const apiVersion = yield* apiVersionOf(flags, all)
      const ground: Ground = {
        embedded,
        settings: all,
        subscription: Either.getOrElse(subscription, Option.none),
        apiVersion: Either.getOrElse(apiVersion, () => ApiVersion.latest),
      }
      const invalid: Invalid = {
        ...(Either.isLeft(subscription) ? { subscription: subscription.left } : {}),
        ...(Either.isLeft(apiVersion) ? { apiVersion: apiVersion.left } : {}),
      }
      const own = [...files(read), ...settings({ ...all, ...overruling(ground, flags) }, read.refused, invalid)]
      const theirs = (yield* Effect.forEach(ServiceName.all, (service) => checked(ground, service), {
        concurrency: "unbounded",
      })).flat()
      const isAnySet = ServiceName.all.some((name) => ServiceName.facts[name].address in read.refused)
      const checks = [...own, ...(theirs.length === 0 && !isAnySet ? [noService] : theirs)]
      yield* Format.list(format, Check.shape, Stream.make(checks))
      const bad = checks.filter(Check.isBad)
      if (bad.length > 0)
        yield* new Incomplete({
          message: `${bad.length} of ${checks.length} checks found something to do. ${bad.map(({ advice = "", check }) => `${check}: ${advice}`).join(" ")}`,
        })
    }),
})
