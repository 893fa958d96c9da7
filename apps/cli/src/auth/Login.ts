/** `vigil auth login`: has a token of a service, from a browser or from stdin, and keeps it. */
import * as Command from "@effect/cli/Command"
import * as CliOptions from "@effect/cli/Options"
import * as Origin from "@vigil/core-http/Origin"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Span from "../events/Span.js"
import { UsageError } from "../Failure.js"
import { Output } from "../output/Output.js"
import type * as ConfigFile from "../settings/ConfigFile.js"
import * as Connection from "../settings/Connection.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as FromStdin from "./FromStdin.js"
import * as SignIn from "./SignIn.js"
import * as TokenStore from "./TokenStore.js"

const setting = (name: string, description: string) =>
  CliOptions.text(name).pipe(CliOptions.withDescription(description), CliOptions.optional)

const options = {
  ...Connection.flags,
  service: CliOptions.withDefault(ServiceName.flag, "health"),
  tokenStdin: CliOptions.boolean("token-stdin").pipe(
    CliOptions.withDescription("Read the token from stdin, one line, instead of signing in by a browser."),
  ),
  authUrl: setting("auth-url", "The address of the authorization server (environment: HEALTH_AUTH_URL)."),
  clientId: setting("client-id", "The application, as that server knows it (environment: HEALTH_CLIENT_ID)."),
  scope: setting("scope", "What is asked for (environment: HEALTH_SCOPE). Default: user_impersonation."),
  port: CliOptions.integer("port").pipe(
    CliOptions.withDescription("The port on this machine that the answer comes back to. Default: one that is free."),
    CliOptions.withDefault(0),
  ),
  noBrowser: CliOptions.boolean("no-browser").pipe(
    CliOptions.withDescription("Print the address, and open no browser."),
  ),
  timeout: CliOptions.text("timeout").pipe(
    CliOptions.withDescription("How long to wait for the answer, such as 90s or 5m. Default: 5m."),
    CliOptions.withDefault("5m"),
  ),
}

/** The flags as they were given. */
type Flags = Command.Command.ParseConfig<typeof options>

const portOf = (port: number): Effect.Effect<number, UsageError> =>
  port >= 0 && port <= 65_535
    ? Effect.succeed(port)
    : new UsageError({ message: `--port ${port} is no port: give one from 1 to 65535.` })

/** A setting that has to be there. */
const required = (key: ConfigFile.Key, name: string, value: Option.Option<string>, what: string) =>
  Effect.flatMap(
    Settings.get(key, { name, value }),
    Option.match({
      onSome: ({ value }) => Effect.succeed(value),
      onNone: () => new UsageError({ message: `${what} is not set: set ${Settings.variable(key)}, or give ${name}.` }),
    }),
  )

/** Says what is still to be set, where an address was given for this command alone: a token is sent to its own origin. */
const noteAddress = (service: ServiceName.ServiceName, origin: string) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { address } = ServiceName.facts[service]
    // A setting that is refused is not set: the token is kept all the same.
    const set = yield* Effect.orElseSucceed(Settings.value(address), Option.none)
    if (!Option.exists(Option.flatMapNullable(set, Origin.parseUrl), (url) => url.origin === origin))
      yield* note(`vigil: ${Settings.variable(address)} is not set to that address: set it, so that the token is used.`)
  })

/** Keeps a token, and says where. */
const keep = (service: ServiceName.ServiceName, entry: TokenStore.Entry) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const place = yield* TokenStore.keep(service, entry)
    const until = Option.match(entry.expiresAt, {
      onNone: () => "",
      onSome: (end) => ` It is valid until ${DateTime.formatIso(end).replace("T", " ").slice(0, 16)} UTC.`,
    })
    const { title, token } = ServiceName.facts[service]
    yield* note(`The token of ${title} at ${entry.origin} is kept in ${TokenStore.describe(place)}.${until}`)
    if (Option.isSome(yield* Environment.secret(token)))
      yield* note(`vigil: ${token} is set in the environment, and goes on to be used instead.`)
    yield* noteAddress(service, entry.origin)
  })

/** The token of stdin, for the service at the address that is set. */
const byStdin = (flags: Flags) =>
  Effect.gen(function* () {
    if (flags.sandbox)
      return yield* new UsageError({
        message: "--sandbox and --token-stdin exclude each other: the sandbox has tokens of its own.",
      })
    const { origin } = yield* Origin.parseBase(yield* Connection.address(flags, flags.service))
    return yield* keep(flags.service, { token: yield* FromStdin.read, origin, expiresAt: Option.none() })
  })

/** The browser's part, which is the same for a service and the sandbox. */
const manner = (flags: Flags) =>
  Effect.all({
    patience: Span.parse("--timeout", flags.timeout, "1 day"),
    port: portOf(flags.port),
    scope: required("scope", "--scope", flags.scope, "What to ask for"),
    opens: Effect.succeed(!flags.noBrowser),
  })

/** The token that the authorization server grants. */
const byBrowser = (flags: Flags) =>
  Effect.gen(function* () {
    if (flags.service === "apps")
      return yield* new UsageError({
        message: `The app management service signs nobody in by a browser: create a token in its portal, and give it to ${ServiceName.facts.apps.login}.`,
      })
    const options = yield* manner(flags)
    const sandbox = yield* Connection.embedded(flags)
    if (Option.isSome(sandbox)) {
      const { note } = yield* Output
      return yield* SignIn.run(
        {
          ...options,
          audience: "the sandbox",
          authUrl: sandbox.value.baseUrl,
          clientId: Option.getOrElse(flags.clientId, () => "vigil"),
        },
        () => note("Signed in to the sandbox. Its token is not kept: the sandbox ends with this command."),
      )
    }
    const { origin } = yield* Origin.parseBase(yield* Connection.address(flags, "health"))
    const authUrl = yield* required("authUrl", "--auth-url", flags.authUrl, "Where to sign in")
    const clientId = yield* required("clientId", "--client-id", flags.clientId, "As which application to sign in")
    return yield* SignIn.run({ ...options, audience: origin, authUrl, clientId }, ({ accessToken, expiresAt }) =>
      keep("health", { token: accessToken, origin, expiresAt }),
    )
  })

/** The command. */
export const command = Command.make("login", options, (flags) =>
  Effect.if(flags.tokenStdin, { onTrue: () => byStdin(flags), onFalse: () => Effect.scoped(byBrowser(flags)) }),
).pipe(
  Command.withDescription(
    "Sign in to the health events service by a browser, or keep a token that comes on stdin. The token goes into the keychain of the operating system where there is one, else into a file that only you can read.",
  ),
)
