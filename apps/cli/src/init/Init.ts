/** `vigil init`: writes the user's settings file. */
import { statSync } from "node:fs"
import { dirname } from "node:path"
import * as Credential from "@vigil/core-http/Credential"
import * as HealthConnection from "@vigil/health-client/Connection"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Redacted from "effect/Redacted"
import * as Command from "../command/Command.js"
import * as Confirmation from "../command/Confirmation.js"
import { invalidSetting } from "../command/Failure.js"
import { Input } from "../command/Input.js"
import * as AtomicFile from "../files/AtomicFile.js"
import * as BoundedFile from "../files/BoundedFile.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import * as Argv from "../settings/Argv.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as SubscriptionList from "../settings/SubscriptionList.js"
import * as Azure from "./Azure.js"
import * as Question from "./Question.js"
import * as TenantRight from "./TenantRight.js"

const flags = {
  azure: Flag.boolean("Use Azure Resource Health with the Azure CLI"),
  baseUrl: Flag.optional(Flag.text("url"), "Base URL of the health events service"),
  vendor: Flag.optional(Flag.text("name"), "Vendor in the path of requests"),
  tokenCommand: Flag.optional(
    Flag.parsed("command", Argv.expected, Argv.parse),
    "Program that prints an access token, with its arguments",
  ),
  subscription: Flag.repeated(Flag.text("id"), "Subscription to read: ID, name or NAME=ID; repeatable", "s"),
  force: Flag.boolean("Replace the settings file without confirmation"),
}

type Flags = Command.Values<typeof flags>

/** Fails as commands with these settings would. */
const checkClient = (baseUrl: string, vendor?: string) =>
  Effect.mapError(
    HealthConnection.make({ baseUrl, vendor, credential: Credential.bearer(Redacted.make("unused")) }),
    (error) => new UsageError(invalidSetting(error)),
  )

/** The value of a flag, or of the answer to a question. */
const flagOr = <A, R>(
  value: A | undefined,
  question: string,
  read: (answer: string | undefined) => Effect.Effect<A | undefined, UsageError, R>,
) => (value === undefined ? Question.ask(question, read) : Effect.succeed(value))

const readSubscriptions = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, from: string) {
  const { names } = yield* Settings.Settings
  const parts = texts.map(SubscriptionList.parse((text) => names.idOf(text) !== text))
  yield* SubscriptionList.check(parts, from)
  const ids = yield* Effect.forEach(parts, ({ id }) => Settings.parseSubscription(names, id, from))
  if (ids.length === 0) return undefined
  const isNamed = parts.some(({ name }) => name !== undefined)
  return isNamed
    ? Object.fromEntries(ids.map((id, index) => [parts[index]?.name ?? id, id]))
    : SubscriptionList.distinct(ids)
})

const azure = Effect.fnUntraced(function* (given: Flags) {
  const { baseUrl = Azure.baseUrl, subscription, vendor = Azure.vendor } = given
  yield* checkClient(baseUrl, vendor)
  return {
    healthBaseUrl: baseUrl,
    healthVendor: vendor,
    tokenCommand: given.tokenCommand ?? Azure.tokenCommand(baseUrl),
    subscriptions: yield* Azure.subscriptions(subscription),
  }
})

const other = Effect.fnUntraced(function* (healthBaseUrl: string, given: Flags) {
  yield* checkClient(healthBaseUrl, given.vendor)
  const readVendor = (vendor: string | undefined) => Effect.as(checkClient(healthBaseUrl, vendor), vendor)
  const readCommand = (text: string | undefined) =>
    flags.tokenCommand.read(text === undefined ? [] : [text], "The answer")
  const readAnswer = (text: string | undefined) => readSubscriptions(SubscriptionList.split(text ?? ""), "The answer")
  const subscriptions = yield* readSubscriptions(given.subscription, "--subscription")
  return {
    healthBaseUrl,
    healthVendor: yield* flagOr(given.vendor, "Vendor in the path of requests [Vendor]: ", readVendor),
    tokenCommand: yield* flagOr(given.tokenCommand, "Command that prints a token [none]: ", readCommand),
    subscriptions: yield* flagOr(
      subscriptions,
      "IDs of subscriptions or NAME=ID, with commas between them [none]: ",
      readAnswer,
    ),
  }
})

const contentsOf = Effect.fnUntraced(function* (given: Flags) {
  if (given.azure) return yield* azure(given)
  const { isInteractive } = yield* Input
  if (given.baseUrl === undefined && !isInteractive)
    return yield* new UsageError("The service is missing: pass --azure, or --base-url URL.")
  const readService = (text: string | undefined) =>
    text === undefined || text.toLowerCase() === "azure" ? Effect.undefined : Effect.as(checkClient(text), text)
  const url = yield* flagOr(given.baseUrl, "azure, or the base URL of another service [azure]: ", readService)
  return yield* url === undefined ? azure(given) : other(url, given)
})

/** Why the user's own files in a folder would be ignored. `undefined` for a folder that does not exist. */
const distrustFolder = (path: string): Effect.Effect<string | undefined> =>
  Effect.orElseSucceed(
    Effect.try(() => {
      const me = process.getuid?.()
      return me === undefined ? undefined : BoundedFile.distrust({ uid: me, gid: me, mode: 0o600 }, statSync(path), me)
    }),
    () => undefined,
  )

/** Fails if commands would ignore a file in the folder. */
const checkFolder = Effect.fnUntraced(function* (folder: string) {
  const reason = yield* distrustFolder(folder)
  if (reason !== undefined)
    return yield* new UsageError(
      `Nothing was written: commands would ignore a settings file in ${JSON.stringify(folder)}: ${reason}. You must own the folder, and only you may write to it (chmod go-w).`,
    )
})

export const command = Command.make({
  description:
    "Write your settings file: the service, the command that prints its tokens, and the subscriptions. Asks on a terminal for what no flag sets.",
  examples: [
    "vigil init --azure",
    "vigil init --base-url https://health.example --subscription sub-1 --subscription sub-2",
  ],
  flags,
  requiresSettings: false,
  run: function* (given) {
    const file = yield* Settings.path
    const files = yield* FileSystem.FileSystem
    const toFileError = AtomicFile.fileError(file)
    yield* checkFolder(dirname(file))
    if (yield* Effect.mapError(files.exists(file), toFileError))
      yield* Confirmation.require(`The settings file ${JSON.stringify(file)} will be replaced.`, {
        yes: given.force,
        flag: "--force",
        done: "written",
        preview: "edit the file",
      })
    const contents = yield* contentsOf(given)
    const write = Effect.fnUntraced(function* (contents: object) {
      const text = `${JSON.stringify(contents, undefined, 2)}\n`
      yield* Settings.parse(file, text)
      yield* Effect.mapError(
        Effect.andThen(
          files.makeDirectory(dirname(file), { recursive: true, mode: 0o700 }),
          AtomicFile.replace(file, text, 0o600),
        ),
        toFileError,
      )
    })
    yield* write(contents)
    const isWithoutTenant = yield* TenantRight.isMissing(contents)
    if (isWithoutTenant) yield* write({ ...contents, healthWithoutTenant: true })
    yield* Output.note(`Wrote ${JSON.stringify(file)}. Run vigil doctor to check the connection.`)
    if (isWithoutTenant)
      yield* Output.note(
        "The settings leave out the tenant, whose events your credential may not read: remove healthWithoutTenant if that changes.",
      )
    if (contents.tokenCommand === undefined)
      yield* Output.note(`There is no token yet. ${ServiceName.facts.health.signIn}`)
  },
})
