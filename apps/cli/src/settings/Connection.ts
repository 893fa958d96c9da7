/** The connection of a command to a service: URL and token. The sandbox replaces both services. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as Credential from "@vigil/core-http/Credential"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Token from "../auth/Token.js"
import * as TokenStore from "../auth/TokenStore.js"
import type { Values } from "../Command.js"
import { TokenMissing, UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Output } from "../output/Output.js"
import * as Environment from "./Environment.js"
import * as ServiceName from "./ServiceName.js"
import * as Settings from "./Settings.js"

/** Flags of every command that calls a service. */
export const flags = {
  sandbox: Flag.boolean("Use an embedded sandbox (environment: VIGIL_SANDBOX=1)"),
  baseUrl: Flag.optional(Flag.text("url"), "The base URL (environment: HEALTH_BASE_URL, APPMGMT_BASE_URL)"),
}

export type Flags = Values<typeof flags>

/** A base URL, where it is set, and the token for it. */
export interface Access {
  readonly service: ServiceName.ServiceName
  readonly address: Option.Option<Settings.Setting>
  readonly found: Token.Found
}

export interface Embedded {
  readonly sandbox: Sandbox.Service
  readonly from: Settings.From
}

const within = ({ from, sandbox }: Embedded, service: ServiceName.ServiceName): Access => ({
  service,
  address: Option.some({ value: sandbox.baseUrl, from }),
  found: {
    _tag: "Token",
    token: service === "health" ? sandbox.accessToken : sandbox.apiToken,
    from: { kind: "sandbox", name: "the sandbox" },
    expiresAt: Option.none(),
  },
})

const kept = (service: ServiceName.ServiceName): Effect.Effect<Token.Found, TokenStore.FindError> =>
  Effect.map(
    TokenStore.find(service),
    Option.match({
      onNone: () => ({ _tag: "None" }),
      onSome: ({ origin, place }) => ({ _tag: "Elsewhere", origin, from: place }),
    }),
  )

export const find = (
  service: ServiceName.ServiceName,
  embedded: Option.Option<Embedded>,
  address: Option.Option<Settings.Setting>,
): Effect.Effect<Access, TokenStore.FindError> =>
  Effect.gen(function* () {
    if (Option.isSome(embedded)) return within(embedded.value, service)
    const found = yield* Option.isSome(address) ? Token.find(service, address.value.value) : kept(service)
    return { service, address, found }
  })

export interface Connection<Client> {
  readonly client: Client
  readonly sandbox: Option.Option<Sandbox.Service>
}

export type ConnectionError = ServiceClient.MakeError | TokenMissing | TokenStore.FindError

/** Starts the sandbox if a flag or the environment selects it. `--base-url` wins over the environment. */
export const embedded = (
  flags: Flags,
  vendor = Settings.vendor,
): Effect.Effect<Option.Option<Sandbox.Service>, UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    if (flags.sandbox && Option.isSome(flags.baseUrl))
      return yield* new UsageError({ message: "--sandbox and --base-url exclude each other: give one of them." })
    if (!flags.sandbox && (Option.isSome(flags.baseUrl) || !(yield* Environment.isOn("VIGIL_SANDBOX"))))
      return Option.none()
    // The system finds a free port, or nothing can run here.
    const { make } = yield* Effect.promise(() => import("@vigil/sandbox/Sandbox"))
    return Option.some(yield* Effect.orDie(make({ vendor: yield* vendor })))
  })

/** The sandbox, for commands without `--base-url`. */
export const embeddedBy = (
  sandbox: boolean,
  vendor = Settings.vendor,
): Effect.Effect<Option.Option<Embedded>, UsageError, Scope.Scope> =>
  Effect.map(
    embedded({ sandbox, baseUrl: Option.none() }, vendor),
    Option.map((service) => ({
      sandbox: service,
      from: sandbox ? { kind: "flag", name: "--sandbox" } : { kind: "environment", name: "VIGIL_SANDBOX" },
    })),
  )

/** The base URL of a service, from the flag or the settings. */
export const address = (flags: Flags, service: ServiceName.ServiceName): Effect.Effect<string, UsageError> => {
  const key = ServiceName.facts[service].address
  return Effect.flatMap(
    Settings.get(key, { name: "--base-url", value: flags.baseUrl }),
    Option.match({
      onSome: ({ value }) => Effect.succeed(value),
      onNone: () =>
        new UsageError({
          message: `No service is given: set ${Settings.variable(key)}, or give --base-url, or --sandbox to try it.`,
        }),
    }),
  )
}

const elsewhere = (service: ServiceName.ServiceName, origin: string) =>
  `The token of ${ServiceName.facts[service].title} that is kept is for ${origin}, and is sent nowhere else.`

/** A client of the health events API. Without a token, it sends requests without one. */
export const health = (
  flags: Flags,
): Effect.Effect<Connection<HealthClient.Service>, ConnectionError, HttpClient.HttpClient | Output | Scope.Scope> =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const sandbox = yield* embedded(flags)
    if (Option.isSome(sandbox)) {
      const { accessToken, baseUrl, world } = sandbox.value
      const credential = Credential.bearer(accessToken)
      return { sandbox, client: yield* HealthClient.make({ baseUrl, credential, vendor: world.vendor }) }
    }
    const baseUrl = yield* address(flags, "health")
    const vendor = yield* Settings.vendor
    const found = yield* Token.find("health", baseUrl)
    if (found._tag === "Elsewhere") yield* note(`vigil: ${elsewhere("health", found.origin)}`)
    const credential = found._tag === "Token" ? Token.bearer(found) : Credential.none
    return { sandbox, client: yield* HealthClient.make({ baseUrl, credential, vendor }) }
  })

/** A client of the app management API. */
export const appManagement = (
  flags: Flags,
): Effect.Effect<Connection<AppManagement.Service>, ConnectionError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sandbox = yield* embedded(flags)
    if (Option.isSome(sandbox)) return { sandbox, client: yield* AppManagement.make(sandbox.value) }
    const baseUrl = yield* address(flags, "apps")
    const found = yield* Token.find("apps", baseUrl)
    if (found._tag !== "Token") {
      const why = found._tag === "Elsewhere" ? elsewhere("apps", found.origin) : "The API token is missing."
      return yield* new TokenMissing({
        message: `${why} Set APPMGMT_API_TOKEN. To have it kept, run ${ServiceName.facts.apps.login}.`,
      })
    }
    return { sandbox, client: yield* AppManagement.make({ baseUrl, apiToken: found.token }) }
  })
