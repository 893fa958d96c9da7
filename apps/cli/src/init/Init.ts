/** `vigil init`: writes the user's settings file. */
import { dirname } from "node:path"
import * as Credential from "@vigil/core-http/Credential"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import * as Command from "../command/Command.js"
import * as Confirmation from "../kit/Confirmation.js"
import { Incomplete, UsageError } from "../kit/Failure.js"
import * as Flag from "../kit/Flag.js"
import { Input } from "../kit/Input.js"
import * as Output from "../kit/Output.js"
import * as WholeFile from "../files/WholeFile.js"
import * as Argv from "../settings/Argv.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Azure from "./Azure.js"

const flags = {
  azure: Flag.boolean("Use Azure Resource Health with the Azure CLI"),
  baseUrl: Flag.optional(Flag.text("url"), "Base URL of the health events service"),
  vendor: Flag.optional(Flag.text("name"), "Vendor in the path of requests"),
  tokenCommand: Flag.optional(
    Flag.parsed("command", Argv.expected, Argv.parse),
    "Program that prints an access token, with its arguments",
  ),
  subscription: Flag.optional(Settings.subscriptionId, "ID of the default subscription", "s"),
  force: Flag.boolean("Replace the settings file without confirmation"),
}

type Flags = Command.Values<typeof flags>

/** Asks on a terminal. Returns `undefined` for an empty answer, and without a terminal. */
const ask = Effect.fnUntraced(function* (question: string) {
  const { ask, isInteractive } = yield* Input
  if (!isInteractive) return undefined
  const answer = yield* ask(question)
  if (answer === undefined) return yield* new Incomplete({ message: "Nothing was written: the input ended." })
  return answer.trim() || undefined
})

/** The value of a flag, or the answer to a question. */
const flagOr = <A>(flag: Flag.Flag<A | undefined>, value: A | undefined, question: string) =>
  value === undefined
    ? Effect.flatMap(ask(question), (text) => flag.read(text === undefined ? [] : [text], "The answer"))
    : Effect.succeed(value)

const azure = Effect.fnUntraced(function* (given: Flags) {
  const { baseUrl = Azure.baseUrl, subscription, vendor = Azure.vendor } = given
  return {
    healthBaseUrl: baseUrl,
    healthVendor: vendor,
    tokenCommand: given.tokenCommand ?? Azure.tokenCommand(baseUrl),
    ...(subscription === undefined ? yield* Azure.subscriptions(ask) : { subscription }),
  }
})

const other = Effect.fnUntraced(function* (healthBaseUrl: string, given: Flags) {
  return {
    healthBaseUrl,
    healthVendor: yield* flagOr(flags.vendor, given.vendor, "Vendor in the path of requests [Vendor]: "),
    tokenCommand: yield* flagOr(flags.tokenCommand, given.tokenCommand, "Command that prints a token [none]: "),
    subscription: yield* flagOr(flags.subscription, given.subscription, "ID of the default subscription [none]: "),
  }
})

const contentsOf = Effect.fnUntraced(function* (given: Flags) {
  if (given.azure) return yield* azure(given)
  const { isInteractive } = yield* Input
  if (given.baseUrl === undefined && !isInteractive)
    return yield* new UsageError("The service is missing: pass --azure, or --base-url URL.")
  const answer = yield* flagOr(flags.baseUrl, given.baseUrl, "azure, or the base URL of another service [azure]: ")
  return yield* answer === undefined || answer === "azure" ? azure(given) : other(answer, given)
})

export const command = Command.make({
  description:
    "Write your settings file: the service, the command that prints its tokens, and the subscriptions. Asks on a terminal for what no flag sets.",
  examples: ["vigil init --azure", "vigil init --base-url https://health.example --subscription sub-1"],
  flags,
  requiresSettings: false,
  run: function* (given) {
    const file = yield* Settings.path
    const files = yield* FileSystem.FileSystem
    const toFileError = WholeFile.fileError(file)
    if (yield* Effect.mapError(files.exists(file), toFileError))
      yield* Confirmation.require(`The settings file ${JSON.stringify(file)} will be replaced.`, {
        yes: given.force,
        flag: "--force",
        done: "written",
        preview: "edit the file",
      })
    const contents = yield* contentsOf(given)
    const text = `${JSON.stringify(contents, undefined, 2)}\n`
    // Fails as commands with these settings would.
    yield* Settings.parse(file, text)
    const credential = Credential.bearer(Redacted.make("unused"))
    yield* HealthClient.make({ baseUrl: contents.healthBaseUrl, vendor: contents.healthVendor, credential })
    yield* Effect.mapError(
      Effect.andThen(
        files.makeDirectory(dirname(file), { recursive: true, mode: 0o700 }),
        WholeFile.replace(file, text, 0o600),
      ),
      toFileError,
    )
    yield* Output.note(`Wrote ${JSON.stringify(file)}. Run vigil doctor to check the connection.`)
    if (contents.tokenCommand === undefined)
      yield* Output.note(`There is no token yet. ${ServiceName.facts.health.signIn}`)
  },
})
