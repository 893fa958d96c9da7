/** The user's settings file, `config.json`. It must not contain secrets. */
import { join } from "node:path"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { UsageError } from "../kit/Failure.js"
import * as Secrets from "../kit/Secrets.js"
import * as Argv from "./Argv.js"
import * as Environment from "./Environment.js"
import * as OwnedFile from "../files/OwnedFile.js"

const text = Schema.NonEmptyString

const fields = {
  healthBaseUrl: text,
  healthVendor: text,
  appmgmtBaseUrl: text,
  portalUrl: text,
  subscription: text,
  apiVersion: ApiVersion.Known,
  authUrl: text,
  tokenUrl: text,
  clientId: text,
  scope: text,
}

const lists = {
  subscriptions: Schema.Record(text, SubscriptionId.SubscriptionId),
  tokenCommand: Argv.Argv,
}

const Contents = Schema.Struct({ ...fields, ...lists }).mapFields(Struct.map(Schema.optionalKey))

export type Contents = typeof Contents.Type

export type Key = keyof typeof fields

export const keys = Struct.keys(fields)

const expected: Readonly<Record<string, string>> = {
  apiVersion: `one of ${ApiVersion.all.join(", ")}`,
  subscriptions: "an object of names and subscription IDs without slashes",
  tokenCommand: `an array of texts: ${Argv.expected}`,
}

/** The value may be a secret and is not shown. */
const mistakeOf = (file: string, name: string, value: unknown): string | undefined => {
  const where = `in ${JSON.stringify(file)}`
  const key = JSON.stringify(name)
  if (!Object.hasOwn({ ...fields, ...lists }, name))
    return Secrets.isSecretName(name)
      ? `${key} ${where} looks like a secret. Settings files must not contain secrets: remove it, and treat it as leaked if others may read the file. ${Secrets.advice}`
      : `Unknown setting ${key}: remove it from ${JSON.stringify(file)}. The settings are ${[...keys, ...Struct.keys(lists)].join(", ")}.`
  if (typeof value === "string" && Secrets.hasUserinfo(value))
    return `${key} ${where} is a URL with a user or a password. Remove them. ${Secrets.advice}`
  return Schema.is(Contents)({ [name]: value })
    ? undefined
    : `${key} ${where} is not ${expected[name] ?? "a non-empty text"}.`
}

/** Parses the text of a settings file. Fails with a `UsageError` that names the file and the key. */
export const parse = Effect.fnUntraced(function* (file: string, json: string) {
  const refuse = (message: string) => new UsageError(message)
  // The parser's message may contain secrets of the file.
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(json.replace(/^\ufeff/, "")),
    catch: () => refuse(`The settings in ${JSON.stringify(file)} are not valid JSON. Fix or remove the file.`),
  })
  if (!Predicate.isObject(value))
    return yield* refuse(`The settings in ${JSON.stringify(file)} are not a JSON object, such as {}.`)
  for (const [name, setting] of Object.entries(value)) {
    const message = mistakeOf(file, name, setting)
    if (message !== undefined) return yield* refuse(message)
  }
  return Schema.decodeUnknownSync(Contents)(value)
})

/** The path of the file. */
export const path = Effect.map(Environment.configFolder, (folder) => join(folder, "config.json"))

export type ConfigFile =
  | Exclude<OwnedFile.Result, { readonly _tag: "Text" }>
  | { readonly _tag: "Loaded"; readonly contents: Contents }

/** Loads a settings file. Fails as `parse` does. */
export const load = Effect.fnUntraced(function* (file: string): Effect.fn.Return<ConfigFile, UsageError> {
  const reading = yield* Effect.mapError(
    OwnedFile.read(file),
    ({ reason }) => new UsageError(`The settings file ${JSON.stringify(file)} ${reason}.`),
  )
  if (reading._tag !== "Text") return reading
  return { _tag: "Loaded", contents: yield* parse(file, reading.text) }
})
