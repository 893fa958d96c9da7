/** Which service a command talks to: the one of the flags, the one of the environment, or the embedded sandbox. */
import * as Options from "@effect/cli/Options"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as Credential from "@vigil/core-http/Credential"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { UsageError } from "../Failure.js"

/** The flags that every command has. */
export const flags = {
  sandbox: Options.boolean("sandbox").pipe(
    Options.withDescription("Talk to an embedded sandbox, started for this command (environment: VIGIL_SANDBOX=1)."),
  ),
  baseUrl: Options.text("base-url").pipe(
    Options.withDescription("The service's base address (environment: HEALTH_BASE_URL, APPMGMT_BASE_URL)."),
    Options.withPseudoName("url"),
    Options.optional,
  ),
}

/** The flags as they were given. */
export interface Flags {
  readonly sandbox: boolean
  readonly baseUrl: Option.Option<string>
}

/** A client, and the sandbox behind it when there is one. */
export interface Connection<Client> {
  readonly client: Client
  readonly sandbox: Option.Option<Sandbox.Service>
}

/** What can go wrong before the first request. */
export type ConnectionError = ServiceClient.MakeError | UsageError

/** A setting of the environment; an empty one is none. */
const setting = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.orDie(Config.option(Config.nonEmptyString(name)))

const secret = (name: string): Effect.Effect<Option.Option<Redacted.Redacted>> =>
  Effect.orDie(Config.option(Config.redacted(Config.nonEmptyString(name))))

/** Whether the environment asks for the sandbox. */
const byEnvironment: Effect.Effect<boolean, UsageError> = Effect.flatMap(setting("VIGIL_SANDBOX"), (value) => {
  const text = Option.getOrElse(value, () => "0")
  return ["0", "1"].includes(text)
    ? Effect.succeed(text === "1")
    : new UsageError({ message: "VIGIL_SANDBOX is set to something else than 1 or 0. Set it to 1 for the sandbox." })
})

/** The sandbox, when the flags or the environment ask for it. A base address given as a flag wins over the environment. */
const embedded = (flags: Flags): Effect.Effect<Option.Option<Sandbox.Service>, ConnectionError, Scope.Scope> =>
  Effect.gen(function* () {
    if (flags.sandbox && Option.isSome(flags.baseUrl))
      return yield* new UsageError({ message: "--sandbox and --base-url exclude each other: give one of them." })
    if (!flags.sandbox && (Option.isSome(flags.baseUrl) || !(yield* byEnvironment))) return Option.none()
    // The system finds a free port, or nothing can run here.
    return Option.some(yield* Effect.orDie(Sandbox.make()))
  })

const address = (flags: Flags, name: string): Effect.Effect<string, UsageError> =>
  Effect.gen(function* () {
    const configured = yield* setting(name)
    return yield* Option.match(
      Option.orElse(flags.baseUrl, () => configured),
      {
        onSome: Effect.succeed,
        onNone: () =>
          new UsageError({ message: `No service is given: set ${name}, or give --base-url, or --sandbox to try it.` }),
      },
    )
  })

/** A client of the health events API. Without a token requests go out without one, and the service has the word. */
export const health = (
  flags: Flags,
): Effect.Effect<Connection<HealthClient.Service>, ConnectionError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sandbox = yield* embedded(flags)
    if (Option.isSome(sandbox)) {
      const { accessToken, baseUrl } = sandbox.value
      return { sandbox, client: yield* HealthClient.make({ baseUrl, credential: Credential.bearer(accessToken) }) }
    }
    const baseUrl = yield* address(flags, "HEALTH_BASE_URL")
    const vendor = Option.getOrUndefined(yield* setting("HEALTH_VENDOR"))
    const credential = Option.match(yield* secret("HEALTH_ACCESS_TOKEN"), {
      onNone: () => Credential.none,
      onSome: Credential.bearer,
    })
    return { sandbox, client: yield* HealthClient.make({ baseUrl, credential, vendor }) }
  })

/** A client of the app management API. */
export const appManagement = (
  flags: Flags,
): Effect.Effect<Connection<AppManagement.Service>, ConnectionError, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sandbox = yield* embedded(flags)
    if (Option.isSome(sandbox)) return { sandbox, client: yield* AppManagement.make(sandbox.value) }
    const baseUrl = yield* address(flags, "APPMGMT_BASE_URL")
    const apiToken = yield* Effect.flatMap(
      secret("APPMGMT_API_TOKEN"),
      Effect.mapError(() => new UsageError({ message: "The API token is missing: set APPMGMT_API_TOKEN." })),
    )
    return { sandbox, client: yield* AppManagement.make({ baseUrl, apiToken }) }
  })
