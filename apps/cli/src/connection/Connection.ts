/** The connection of a command to a service: URL and token. The sandbox replaces both services. */
import * as Credential from "@vigil/core-http/Credential"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as HealthConnection from "@vigil/health-client/Connection"
import * as Filter from "@vigil/health-client/Filter"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as ServiceGroup from "@vigil/health-client/ServiceGroup"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Values } from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import { invalidSetting } from "../command/Failure.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import { note } from "../output/Output.js"
import * as Environment from "../settings/Environment.js"
import * as RequestedVersion from "../settings/RequestedVersion.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as SubscriptionNames from "../settings/SubscriptionNames.js"
import * as Token from "../tokens/Token.js"

export const flags = {
  sandbox: Flag.boolean("Use an embedded sandbox (environment: VIGIL_SANDBOX=1)"),
  baseUrl: Flag.optional(Flag.text("url"), "Base URL (environment: HEALTH_BASE_URL; for apps: APPMGMT_BASE_URL)"),
  listTimeout: Flag.withDefault(Time.duration("1 hour"), "20s", "End a list that has no next page in this time"),
}

export type Flags = Values<typeof flags>

/** No page takes longer, with its retries and waits. A single attempt may take all of that. */
const limits = ({ listTimeout }: Flags) => ({ timeout: Duration.infinity, totalTimeout: listTimeout })

export const apiVersion = Flag.optional(
  RequestedVersion.value,
  `API version of requests (default: settings, or ${ApiVersion.defaultVersion})`,
)

export const withoutTenant = Flag.boolean("Leave out the tenant's events (environment: HEALTH_WITHOUT_TENANT=1)")

export const filter = Flag.optional(
  { label: "expression", parse: (text) => Effect.succeed(Filter.raw(text)) },
  "$filter expression, sent to the service unchanged",
)

export interface Embedded {
  readonly sandbox: Sandbox.Service
  readonly from: Settings.From
}

/** The token of the sandbox, or the one for the base URL. */
export const findToken = (service: ServiceName.ServiceName, embedded: Embedded | undefined, url: string | undefined) =>
  embedded === undefined
    ? Token.find(service, url)
    : Effect.succeed<Token.Found>({
        _tag: "Available",
        token: service === "health" ? embedded.sandbox.accessToken : embedded.sandbox.apiToken,
        from: { kind: "sandbox", name: "the sandbox" },
        expiresAt: Option.none(),
      })

/** Whether a flag or the environment selects the sandbox. `--base-url` wins over the environment. */
export const isSandbox = ({
  baseUrl,
  sandbox,
}: Pick<Flags, "baseUrl" | "sandbox">): Effect.Effect<boolean, UsageError> => {
  if (baseUrl === undefined) return sandbox ? Effect.succeed(true) : Environment.isOn("VIGIL_SANDBOX")
  return sandbox ? Effect.as(Flag.exclusive({ "--sandbox": true, "--base-url": true }), false) : Effect.succeed(false)
}

/** Starts the sandbox, if it is selected. */
export const embedded = Effect.fnUntraced(function* (flags: Pick<Flags, "baseUrl" | "sandbox">) {
  if (!(yield* isSandbox(flags))) return undefined
  // The system chooses a free port.
  const { make } = yield* Effect.promise(() => import("@vigil/sandbox/Sandbox"))
  const from: Settings.From = flags.sandbox
    ? { kind: "flag", name: "--sandbox" }
    : { kind: "environment", name: "VIGIL_SANDBOX" }
  const sandbox = yield* Effect.orDie(make({ vendor: yield* Settings.vendor }))
  return { sandbox, from } satisfies Embedded
})

export const baseUrl = ({ baseUrl }: Flags, service: ServiceName.ServiceName) =>
  Settings.required(
    ServiceName.facts[service].baseUrlKey,
    { name: "--base-url", value: baseUrl },
    service === "health"
      ? "No base URL is configured (run vigil init, or try --sandbox)"
      : "No base URL is configured (try --sandbox)",
  )

/** Adds where an invalid base URL or vendor comes from. */
const locate = (flags: Flags, service: ServiceName.ServiceName) =>
  Effect.catch((error: InvalidSetting) =>
    Effect.gen(function* () {
      const isUrl = error.setting === "baseUrl"
      if (!isUrl && error.setting !== "vendor") return yield* error
      const key = isUrl ? ServiceName.facts[service].baseUrlKey : "healthVendor"
      const setting = yield* Settings.get(key, { name: "--base-url", value: isUrl ? flags.baseUrl : undefined })
      return yield* setting === undefined
        ? error
        : new UsageError(`${invalidSetting(error)} The invalid value is from ${Settings.describe(key, setting.from)}.`)
    }),
  )

/** The sandbox if it is selected, and the base URL and how to find the token of a service. */
const open = Effect.fnUntraced(function* (flags: Flags, service: ServiceName.ServiceName) {
  const selected = yield* embedded(flags)
  const sandbox = selected?.sandbox
  const url = sandbox?.baseUrl ?? (yield* baseUrl(flags, service))
  return { sandbox, url, find: findToken(service, selected, url) }
})

/** The names of subscriptions: those of the sandbox, or of the settings. */
export const namesOf = (sandbox: Sandbox.Service | undefined) =>
  Effect.map(Settings.Settings, ({ names }) =>
    sandbox === undefined ? names : SubscriptionNames.make(sandbox.world.subscriptions),
  )

interface HealthFlags extends Flags {
  /** Settings of the client that differ from those of other commands. */
  readonly client?: Pick<HealthConnection.Options, "concurrency" | "maxRetryAfter">
  readonly serviceGroup?: ServiceGroup.ServiceGroup | undefined
  readonly apiVersion?: ApiVersion.ApiVersion | undefined
  readonly withoutTenant?: boolean
}

/** The service of health events, its clients, and the version that they request. */
const connect = Effect.fnUntraced(function* (
  flags: HealthFlags,
  { sandbox, url }: Pick<Effect.Success<ReturnType<typeof open>>, "sandbox" | "url">,
  credential: Credential.Credential,
) {
  const fallback = flags.serviceGroup === undefined ? ApiVersion.defaultVersion : ServiceGroup.apiVersion
  const apiVersion = yield* Settings.apiVersion(flags.apiVersion, fallback)
  const remark = RequestedVersion.remark(apiVersion)
  if (remark !== undefined) yield* note(`vigil: ${remark}`)
  const options = { ...limits(flags), ...flags.client, baseUrl: url, credential, vendor: yield* Settings.vendor }
  const service = yield* HealthConnection.make(options).pipe(locate(flags, "health"))
  /** A client of the availability of resources, which few commands need. */
  const availability = Effect.map(
    Effect.promise(() => import("@vigil/health-client/AvailabilityClient")),
    ({ make }) => make(service),
  )
  const names = yield* namesOf(sandbox)
  // The setting is about the rights of a credential, and that of the sandbox has all.
  const withoutTenant = flags.withoutTenant === true || (sandbox === undefined && (yield* Settings.withoutTenant))
  const given = { baseUrl: flags.baseUrl, apiVersion: flags.apiVersion }
  const { listTimeout } = flags
  const client = HealthClient.make(service)
  return { given, sandbox, apiVersion, service, availability, client, names, listTimeout, withoutTenant }
})

/** Connects to the health events API. Fails with `CommandError` without a token for the base URL. */
export const health = Effect.fnUntraced(function* (flags: HealthFlags) {
  const { find, ...opened } = yield* open(flags, "health")
  const token = yield* find
  const hasToken = token._tag === "Available" || token._tag === "Renewable"
  const connection = yield* connect(flags, opened, hasToken ? yield* Token.credential(token) : Credential.none)
  return hasToken ? connection : yield* new CommandError("unauthenticated", Token.explain("health", token))
})

export type Health = Effect.Success<ReturnType<typeof health>>

/** Like `health`, for programs that cannot ask for a token at their start. Requests without one fail, and find one that is stored meanwhile. */
export const healthWithoutToken = Effect.fnUntraced(function* (flags: HealthFlags) {
  const { find, ...opened } = yield* open(flags, "health")
  const context = yield* Effect.context<Effect.Services<typeof find>>()
  return yield* connect(flags, opened, Token.lateCredential("health", Effect.provideContext(find, context)))
})

/** A client of the app management API. Fails with `CommandError` without a token for the base URL. */
export const appManagement = Effect.fnUntraced(function* (flags: Flags) {
  const { find, sandbox, url } = yield* open(flags, "apps")
  const token = yield* find
  if (token._tag !== "Available") return yield* new CommandError("unauthenticated", Token.explain("apps", token))
  const { make } = yield* Effect.promise(() => import("@vigil/appmgmt-client/AppManagement"))
  const client = yield* make({ ...limits(flags), baseUrl: url, apiToken: token.token }).pipe(locate(flags, "apps"))
  return { sandbox, client }
})
