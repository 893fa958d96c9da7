/** `vigil doctor`: what the command is set to, and whether it can work so. */
import * as Command from "@effect/cli/Command"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Source from "../events/Source.js"
import { Incomplete } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as Access from "../settings/Access.js"
import * as ConfigFile from "../settings/ConfigFile.js"
import * as Connection from "../settings/Connection.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Acceptance from "./Acceptance.js"
import * as Check from "./Check.js"
import * as Connectivity from "./Connectivity.js"

/** What the checks go by. */
interface Ground {
  readonly embedded: Option.Option<Access.Embedded>
  readonly subscription: Option.Option<SubscriptionId>
  readonly apiVersion: ApiVersion.ApiVersion
}

/** What the flags and the sandbox say of settings, over all else. */
const overruling = ({ apiVersion, embedded, subscription }: Ground, flag: Option.Option<string>, all: Settings.All) => {
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
    ...(Option.isSome(flag) ? { subscription: flagged("--subscription", flag.value) } : {}),
    ...(all.apiVersion?.value === apiVersion ? {} : { apiVersion: flagged("--api-version", apiVersion) }),
  }
}

/** What every setting is, and who says so. */
const settings = (all: Settings.All): ReadonlyArray<Check.Check> =>
  ConfigFile.keys.map((key) => {
    const setting = all[key]
    const check = `setting ${key}`
    return setting === undefined
      ? { check, result: "skipped", found: `not set (${Settings.variable(key)})` }
      : { check, result: "ok", found: Settings.shown(setting), from: setting.from.name }
  })

/** What a service takes a token for. */
const accepted = (ground: Ground, service: ServiceName.ServiceName, address: string, found: Access.Access["found"]) =>
  Effect.gen(function* () {
    if (found._tag !== "Token") return []
    if (service === "apps") return yield* Acceptance.apps(address, found)
    const vendor = yield* Settings.vendor
    return yield* Acceptance.health(address, found, vendor, ground.subscription, ground.apiVersion)
  })

/** The checks of one service; a token that is kept badly is one of them. */
const checked = (ground: Ground, service: ServiceName.ServiceName) =>
  Effect.gen(function* () {
    const way = yield* Access.find(service, ground.embedded)
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

/** Whose events are asked for, when somebody says. */
const subscriptionOf = (embedded: Option.Option<Access.Embedded>, flag: Option.Option<string>) =>
  Effect.gen(function* () {
    const isSet = Option.isSome(flag) || Option.isSome(embedded) || Option.isSome(yield* Settings.get("subscription"))
    if (!isSet) return Option.none()
    const sandbox = Option.map(embedded, ({ sandbox }) => sandbox)
    return Option.some(yield* Source.subscriptionOf({ sandbox }, flag))
  })

/** The command. */
export const command = Command.make(
  "doctor",
  {
    sandbox: Connection.flags.sandbox,
    subscription: Source.subscription,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  ({ apiVersion, output: format, sandbox, subscription }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const embedded = yield* Connection.embeddedBy(sandbox)
        const ground = { embedded, apiVersion, subscription: yield* subscriptionOf(embedded, subscription) }
        const all = yield* Settings.all
        const own = settings({ ...all, ...overruling(ground, subscription, all) })
        const theirs = (yield* Effect.forEach(ServiceName.all, (service) => checked(ground, service), {
          concurrency: "unbounded",
        })).flat()
        const checks = [...own, ...(theirs.length === 0 ? [noService] : theirs)]
        yield* Format.list(format, Check.shape, Stream.make(checks))
        const bad = checks.filter(Check.isBad)
        if (bad.length > 0)
          yield* new Incomplete({
            message: `${bad.length} of ${checks.length} checks found something to do. ${bad.map(({ advice = "", check }) => `${check}: ${advice}`).join(" ")}`,
          })
      }),
    ),
).pipe(
  Command.withDescription(
    "Check what the command is set to, and where each setting comes from, and whether addresses, TLS, the clock, tokens and the version of the API are in order. Says what to do where something is not, and exits with 1 then.",
  ),
)
