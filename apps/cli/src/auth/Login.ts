/** `vigil auth login`: gets a token from a browser or from stdin, and stores it. */
import * as Origin from "@vigil/core-http/Origin"
import * as HealthSignIn from "@vigil/health-client/SignIn"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import { Input } from "../command/Input.js"
import * as Connection from "../connection/Connection.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as TokenStore from "../tokens/TokenStore.js"
import * as SignIn from "./SignIn.js"

const flags = {
  ...Connection.flags,
  service: Flag.withDefault(ServiceName.value, "health", "health or apps"),
  tokenStdin: Flag.boolean("Read the token from stdin instead of using a browser"),
  authUrl: Flag.optional(Flag.text("url"), "Authorization server (environment: HEALTH_AUTH_URL)"),
  clientId: Flag.optional(Flag.text("id"), "Client ID (environment: HEALTH_CLIENT_ID)"),
  scope: Flag.optional(Flag.text("scope"), "Scope (environment: HEALTH_SCOPE; default: user_impersonation)"),
  port: Flag.withDefault(Flag.port, "0", "Port for the response of the browser; 0 is any free port"),
  noBrowser: Flag.boolean("Print the URL without opening a browser"),
  timeout: Flag.withDefault(Time.duration("1 day"), "5m", "How long to wait for the browser"),
}

type Flags = Command.Values<typeof flags>

/** In characters: longer than any token. With its metadata, it fits the 16 KiB that are read of a token file. */
const maxTokenLength = 15 * 1024

const refuse = (problem: string) => new UsageError(`${problem} Pass only the token, on one line.`)

const readToken = Effect.gen(function* () {
  const { isTerminal, lines } = yield* Input
  if (isTerminal)
    return yield* new UsageError(
      "--token-stdin requires a pipe or a file, because a terminal shows the token. Run vigil auth login --token-stdin < file.",
    )
  const [line = "", ...more] = yield* Stream.runCollect(Stream.take(lines, 3))
  const token = line.trim()
  if (more.some((other) => other.trim() !== "")) return yield* refuse("Stdin has more than one line.")
  if (token === "") return yield* refuse("Stdin has no token.")
  if (token.length > maxTokenLength) return yield* refuse("The text on stdin is too long for a token.")
  if (/^bearer\s/i.test(token)) return yield* refuse(`Stdin starts with "Bearer", which vigil adds itself.`)
  return /^[\x21-\x7e]+$/.test(token)
    ? Redacted.make(token)
    : yield* refuse("The text on stdin contains a character that is invalid in a token.")
})

/** Stored tokens are sent to their own origin only, so a base URL from a flag must also be in the settings. */
const noteBaseUrl = Effect.fnUntraced(function* (service: ServiceName.ServiceName, origin: string) {
  const { baseUrlKey } = ServiceName.facts[service]
  const baseUrl = yield* Settings.get(baseUrlKey)
  if (URL.parse(baseUrl?.value ?? "")?.origin !== origin)
    yield* Output.note(`vigil: ${Settings.variable(baseUrlKey)} is not set to that URL: set it to use the token.`)
})

const store = Effect.fnUntraced(function* (service: ServiceName.ServiceName, entry: TokenStore.Entry) {
  const location = TokenStore.describe(yield* TokenStore.store(service, entry))
  const until = Option.match(entry.expiresAt, {
    onNone: () => "",
    onSome: (end) => ` It is valid until ${Time.minute(end)} UTC.`,
  })
  yield* Output.note(
    `The token of ${ServiceName.facts[service].title} at ${entry.origin} is stored in ${location}.${until}`,
  )
  yield* noteBaseUrl(service, entry.origin)
})

const fromStdin = Effect.fnUntraced(function* (flags: Flags) {
  if (yield* Connection.isSandbox(flags))
    return yield* new UsageError("The sandbox has its own tokens: omit --token-stdin, or --sandbox and VIGIL_SANDBOX.")
  const { authUrl, clientId, noBrowser, scope } = flags
  if (noBrowser || [authUrl, clientId, scope].some((flag) => flag !== undefined))
    return yield* new UsageError("--token-stdin excludes --auth-url, --client-id, --scope and --no-browser.")
  const { origin } = yield* Effect.fromResult(Origin.parseBase(yield* Connection.baseUrl(flags, flags.service)))
  return yield* store(flags.service, { token: yield* readToken, origin, expiresAt: Option.none() })
})

const fromBrowser = Effect.fnUntraced(function* (flags: Flags) {
  if (flags.service === "apps")
    return yield* new UsageError(
      `The app management service does not support browser sign-in: create a token in its portal. ${ServiceName.facts.apps.signIn}`,
    )
  const options = { timeout: flags.timeout, port: flags.port, openBrowser: !flags.noBrowser }
  const embedded = yield* Connection.embedded(flags)
  if (embedded !== undefined)
    return yield* SignIn.run(
      {
        ...options,
        audience: "the sandbox",
        authUrl: embedded.sandbox.baseUrl,
        clientId: flags.clientId ?? "vigil",
        scope: flags.scope ?? HealthSignIn.scope,
      },
      () => Output.note("Signed in to the sandbox. Its token is not stored: the sandbox ends with this command."),
    )
  const { origin } = yield* Effect.fromResult(Origin.parseBase(yield* Connection.baseUrl(flags, "health")))
  const authUrl = yield* Settings.required(
    "authUrl",
    { name: "--auth-url", value: flags.authUrl },
    "The authorization server is not set",
  )
  const clientId = yield* Settings.required(
    "clientId",
    { name: "--client-id", value: flags.clientId },
    "The client ID is not set",
  )
  const setting = yield* Settings.get("scope", { name: "--scope", value: flags.scope })
  const scope = setting?.value ?? HealthSignIn.scope
  return yield* SignIn.run({ ...options, audience: origin, authUrl, clientId, scope }, ({ expiresAt, secret: token }) =>
    store("health", { token, origin, expiresAt: Option.fromUndefinedOr(expiresAt) }),
  )
})

export const command = Command.make({
  description:
    "Sign in to the health events service with a browser, or store a token from stdin. The token is stored in the keychain of the operating system, or else in a file that only you can read.",
  examples: ["vigil auth login --sandbox", "vigil auth login --service apps --token-stdin"],
  flags,
  run: function* (flags) {
    yield* flags.tokenStdin ? fromStdin(flags) : fromBrowser(flags)
  },
})
