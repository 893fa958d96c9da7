/** The connection of a command to a service: URL and token. The sandbox replaces both services. */
import type * as HttpClient from "effect/http/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as Credential from "@vigil/core-http/Credential"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Token from "../auth/Token.js"
import type * as TokenStore from "../auth/TokenStore.js"
import type { Values } from "../Command.js"
import { TokenMissing, UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Output from "../output/Output.js"
import * as Environment from "./Environment.js"
import * as ServiceName from "./ServiceName.js"
import * as Settings from "./Settings.js"

export const flags = {
  sandbox: Flag.boolean("Use an embedded sandbox (environment: VIGIL_SANDBOX=1)"),
  baseUrl: Flag.optional(Flag.text("url"), "Base URL (environment: HEALTH_BASE_URL; for apps: APPMGMT_BASE_URL)"),
}

export type Flags = Values<typeof flags>

/** A base URL, where it is set, and the token for it. */
export interface Access {
  readonly service: ServiceName.ServiceName
  readonly baseUrl: Settings.Setting | undefined
  readonly token: Token.Result
}

export interface Embedded {
  readonly sandbox: Sandbox.Service
  readonly from: Settings.From
}

export const find = (
  service: ServiceName.ServiceName,
  embedded: Embedded | undefined,
  setting: Settings.Setting | undefined,
): Effect.Effect<Access, TokenStore.FindError, HttpClient.HttpClient> => {
  if (embedded === undefined)
    return Effect.map(Token.find(service, setting?.value), (token) => ({ service, baseUrl: setting, token }))
  const { from, sandbox } = embedded
  const token = service === "health" ? sandbox.accessToken : sandbox.apiToken
  return Effect.succeed({
    service,
    baseUrl: { value: sandbox.baseUrl, from },
    token: { _tag: "Available", token, from: { kind: "sandbox", name: "the sandbox" }, expiresAt: Option.none() },
  })
}

export interface Connection<Client> {
  readonly client: Client
  readonly sandbox: Sandbox.Service | undefined
}

/** Whether a flag or the environment selects the sandbox. `--base-url` wins over the environment. */
export const isSandbox = ({ baseUrl, sandbox }: Flags): Effect.Effect<boolean, UsageError> => {
  if (baseUrl === undefined) return sandbox ? Effect.succeed(true) : Environment.isOn("VIGIL_SANDBOX")
  return sandbox
    ? new UsageError("--sandbox and --base-url are mutually exclusive: pass one of them.")
    : Effect.succeed(false)
}

/** Starts the sandbox, if it is selected. */
export const embedded = Effect.fnUntraced(function* (
  flags: Flags,
  vendor: Effect.Effect<string | undefined, UsageError> = Settings.vendor,
) {
  if (!(yield* isSandbox(flags))) return undefined
  // The system chooses a free port.
  const { make } = yield* Effect.promise(() => import("@vigil/sandbox/Sandbox"))
  const from: Settings.From = flags.sandbox
    ? { kind: "flag", name: "--sandbox" }
    : { kind: "environment", name: "VIGIL_SANDBOX" }
  const sandbox = yield* Effect.orDie(make({ vendor: yield* vendor }))
  return { sandbox, from } satisfies Embedded
})

export const baseUrl = ({ baseUrl }: Flags, service: ServiceName.ServiceName): Effect.Effect<string, UsageError> =>
  Settings.required(
    ServiceName.facts[service].baseUrlKey,
    { name: "--base-url", value: baseUrl },
    "No base URL is configured (try --sandbox)",
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
        : new UsageError(`${error.message} The invalid value is from ${Settings.describe(key, setting.from)}.`)
    }),
  )

const otherOrigin = (service: ServiceName.ServiceName, token: Token.OtherOrigin) =>
  `${Token.nameOf(service, token)} is for ${token.origin} and is sent only there.`

/** A client of the health events API. Without a token, it sends no `Authorization` header. */
export const health = Effect.fnUntraced(function* (flags: Flags) {
  const sandbox = (yield* embedded(flags))?.sandbox
  if (sandbox !== undefined) {
    const { accessToken, baseUrl, world } = sandbox
    const credential = Credential.bearer(accessToken)
    const options = { baseUrl, credential, vendor: world.vendor }
    return { sandbox, client: yield* HealthClient.make(options).pipe(locate(flags, "health")) }
  }
  const url = yield* baseUrl(flags, "health")
  const vendor = yield* Settings.vendor
  const token = yield* Token.find("health", url)
  if (token._tag === "OtherOrigin") yield* Output.note(`vigil: ${otherOrigin("health", token)}`)
  const credential =
    token._tag === "Available" || token._tag === "Renewable" ? Token.credential(token) : Credential.none
  const client = yield* HealthClient.make({ baseUrl: url, credential, vendor }).pipe(locate(flags, "health"))
  return { sandbox, client }
})

/** A client of the app management API. */
export const appManagement = Effect.fnUntraced(function* (flags: Flags) {
  const sandbox = (yield* embedded(flags))?.sandbox
  if (sandbox !== undefined) return { sandbox, client: yield* AppManagement.make(sandbox) }
  const url = yield* baseUrl(flags, "apps")
  const token = yield* Token.find("apps", url)
  if (token._tag !== "Available") {
    const reason = token._tag === "OtherOrigin" ? otherOrigin("apps", token) : "The API token is missing."
    return yield* new TokenMissing({
      message: `${reason} Set APPMGMT_API_TOKEN, or store the token with ${ServiceName.facts.apps.loginCommand}.`,
    })
  }
  const client = yield* AppManagement.make({ baseUrl: url, apiToken: token.token }).pipe(locate(flags, "apps"))
  return { sandbox, client }
})
