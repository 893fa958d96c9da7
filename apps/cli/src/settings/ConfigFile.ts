/** A settings file: `vigil.config.json` of a project, `config.json` of a user. It must not contain secrets. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { UsageError } from "../Failure.js"
import * as OwnedFile from "./OwnedFile.js"
import * as Secrecy from "./Secrecy.js"

const text = Schema.NonEmptyString

const fields = {
  healthBaseUrl: text,
  healthVendor: text,
  appmgmtBaseUrl: text,
  portalUrl: text,
  subscription: text,
  apiVersion: ApiVersion.Known,
  authUrl: text,
  clientId: text,
  scope: text,
}

const Contents = Schema.partialWith(Schema.Struct(fields), { exact: true })

export type Contents = typeof Contents.Type

export type Key = keyof typeof fields

const isKey = (name: string): name is Key => Object.hasOwn(fields, name)

export const keys: ReadonlyArray<Key> = Object.keys(fields).filter(isKey)

const expected = (key: Key): string =>
  key === "apiVersion" ? `one of ${ApiVersion.all.join(", ")}` : "a text that is not empty"

/** The value may be a secret and is not shown. */
const wrong = (file: string, name: string, value: unknown): string | undefined => {
  const where = `in ${JSON.stringify(file)}`
  const key = JSON.stringify(name)
  if (Secrecy.isSecretName(name))
    return `${key} ${where} looks like a secret, and a file of settings is no place for one. Take it out, and count it as leaked if others may read the file. ${Secrecy.rightWay}`
  if (!isKey(name))
    return `There is no setting ${key}: take it out of ${JSON.stringify(file)}. There are ${keys.join(", ")}.`
  if (typeof value === "string" && Secrecy.hasUserinfo(value))
    return `${key} ${where} is an address with a user or a password. Take them out. ${Secrecy.rightWay}`
  return Schema.is(Contents)({ [name]: value }) ? undefined : `${key} ${where} is not ${expected(name)}.`
}

const parse = (file: string, json: string): Effect.Effect<Contents, UsageError> =>
  Effect.gen(function* () {
    const refuse = (message: string) => new UsageError({ message })
    // The parser's own words hold what the file holds.
    const value = yield* Effect.try({
      try: (): unknown => JSON.parse(json.replace(/^\ufeff/, "")),
      catch: () => refuse(`The settings in ${JSON.stringify(file)} are not JSON. Mend or remove the file.`),
    })
    if (!Predicate.isRecord(value))
      return yield* refuse(`The settings in ${JSON.stringify(file)} are not a JSON object, such as {}.`)
    for (const [name, setting] of Object.entries(value)) {
      const message = wrong(file, name, setting)
      if (message !== undefined) return yield* refuse(message)
    }
    return Schema.decodeUnknownSync(Contents)(value)
  })

export type ConfigFile =
  | Exclude<OwnedFile.Reading, { readonly _tag: "Text" }>
  | { readonly _tag: "Loaded"; readonly text: string; readonly contents: Contents }

/** Loads a settings file. Fails with a `UsageError` that names the file and the key. */
export const load = (file: string): Effect.Effect<ConfigFile, UsageError> =>
  Effect.gen(function* () {
    const reading = yield* Effect.mapError(
      OwnedFile.read(file),
      ({ reason }) => new UsageError({ message: `The settings file ${JSON.stringify(file)} ${reason}.` }),
    )
    if (reading._tag !== "Text") return reading
    return { _tag: "Loaded", text: reading.text, contents: yield* parse(file, reading.text) }
  })
