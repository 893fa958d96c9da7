/** `vigil auth login`: gets a token from a browser or from stdin, and stores it. */
import * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Time from "../events/Time.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Input } from "../Input.js"
import { Output } from "../output/Output.js"
import type * as ConfigFile from "../settings/ConfigFile.js"
import * as Connection from "../settings/Connection.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as SignIn from "./SignIn.js"
import * as TokenStore from "./TokenStore.js"

const flags = {
  ...Connection.flags,
  service: Flag.withDefault(ServiceName.value, "health", "The service"),
  tokenStdin: Flag.boolean("Read the token from stdin, one line, instead of using a browser"),
  authUrl: Flag.optional(Flag.text("url"), "The authorization server (environment: HEALTH_AUTH_URL)"),
  clientId: Flag.optional(Flag.text("id"), "The client ID of the application (environment: HEALTH_CLIENT_ID)"),
  scope: Flag.optional(Flag.text("scope"), "The scope (environment: HEALTH_SCOPE) (default: user_impersonation)"),
  port: Flag.withDefault(Flag.port, "0", "The port of this machine that the browser returns to; 0 is any free port"),
  noBrowser: Flag.boolean("Print the URL, and open no browser"),
  timeout: Flag.withDefault(Time.duration("1 day"), "5m", "How long to wait for the browser"),
}

type Flags = Command.Values<typeof flags>

/** In characters: longer than any token. With its metadata, it fits the 16 KiB that are read of a token file. */
const longest = 15 * 1024

const refuse = (what: string) => new UsageError({ message: `${what} Pass only the token, on one line.` })

const readToken = Effect.gen(function* () {
  const { isTerminal, lines } = yield* Input
  if (isTerminal)
    return yield* new UsageError({
      message:
        "--token-stdin reads from a pipe or a file: a terminal would show the token. Run vigil auth login --token-stdin < file.",
    })
  const [line = "", ...more] = Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(lines, 3)))
  const token = line.trim()
  if (more.some((other) => other.trim() !== "")) return yield* refuse("Stdin has more than one line.")
  if (token === "") return yield* refuse("Stdin has no token.")
  if (token.length > longest) return yield* refuse("The text on stdin is longer than a token can be.")
  return Credential.isHeaderText(token)
    ? Redacted.make(token)
    : yield* refuse("The text on stdin has a character that no token has.")
})

const required = (key: ConfigFile.Key, name: string, value: Option.Option<string>, what: string) =>
  Effect.flatMap(
    Settings.get(key, { name, value }),
    Option.match({
      onSome: ({ value }) => Effect.succeed(value),
      onNone: () => new UsageError({ message: `${what} is not set: set ${Settings.variable(key)}, or give ${name}.` }),
    }),
  )

/** Stored tokens are sent to their own origin only, so a base URL from a flag must also be in the settings. */
const noteAddress = (service: ServiceName.ServiceName, origin: string) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { address } = ServiceName.facts[service]
    // A setting that is refused is not set: the token is kept all the same.
    const set = yield* Effect.orElseSucceed(Settings.value(address), Option.none)
    if (!Option.exists(Option.flatMapNullable(set, Origin.parseUrl), (url) => url.origin === origin))
      yield* note(`vigil: ${Settings.variable(address)} is not set to that address: set it, so that the token is used.`)
  })

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

const byStdin = (flags: Flags) =>
  Effect.gen(function* () {
    if (flags.sandbox)
      return yield* new UsageError({
        message: "--sandbox and --token-stdin exclude each other: the sandbox has tokens of its own.",
      })
    const { origin } = yield* Origin.parseBase(yield* Connection.address(flags, flags.service))
    return yield* keep(flags.service, { token: yield* readToken, origin, expiresAt: Option.none() })
  })

const byBrowser = (flags: Flags) =>
  Effect.gen(function* () {
    if (flags.service === "apps")
      return yield* new UsageError({
        message: `The app management service signs nobody in by a browser: create a token in its portal, and give it to ${ServiceName.facts.apps.login}.`,
      })
    const scope = yield* required("scope", "--scope", flags.scope, "The scope")
    const options = { patience: flags.timeout, port: flags.port, scope, opens: !flags.noBrowser }
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

export const command = Command.make({
  name: "login",
  description:
    "Sign in to the health events service with a browser, or store a token from stdin. The token goes into the keychain of the operating system if there is one, else into a file that only you can read.",
  examples: ["vigil auth login --sandbox", "vigil auth login --service apps --token-stdin"],
  flags,
  run: (flags) => (flags.tokenStdin ? byStdin(flags) : byBrowser(flags)),
})
