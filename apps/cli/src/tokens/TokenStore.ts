/** Stored tokens, one per service: in the keychain, else in a file of mode 600. */
import { join } from "node:path"
import type { AsyncEntry } from "@napi-rs/keyring"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import * as Environment from "../settings/Environment.js"
import type * as ServiceName from "../settings/ServiceName.js"
import * as SecretFile from "./SecretFile.js"
import { SecretFileError } from "./SecretFile.js"

export interface Location {
  readonly kind: "keychain" | "file"
  readonly name: string
}

/** A token, its origin and its expiry, if known. It is sent to no other origin. */
export interface Entry {
  readonly token: Redacted.Redacted
  readonly origin: string
  readonly expiresAt: Option.Option<DateTime.Utc>
}

export type FindError = SecretFileError | UsageError

const StoredText = Schema.fromJsonString(
  Schema.Struct({
    token: Schema.RedactedFromValue(Schema.NonEmptyString),
    origin: Schema.NonEmptyString,
    expiresAt: Schema.OptionFromOptionalKey(Schema.DateTimeUtcFromString),
  }),
)

export const describe = ({ kind, name }: Location): string =>
  kind === "file" ? `the file ${JSON.stringify(name)}` : name

const keychain: Location = { kind: "keychain", name: "the keychain of the operating system" }

/** The keychain of the operating system. If it fails in any way, it is treated as missing. On Linux, only the Secret Service is used: the kernel's keyring does not survive the login. The package is optional. */
const withEntry = <A>(account: string, use: (entry: AsyncEntry) => Promise<A>) =>
  Effect.flatMap(Environment.isOn("VIGIL_NO_KEYCHAIN"), (isOff) =>
    isOff
      ? Effect.undefined
      : Effect.orElseSucceed(
          Effect.tryPromise(async () => {
            const keyring = await import("@napi-rs/keyring")
            return use(new keyring.AsyncEntry("vigil", account, { linux: { store: "secret-service" } }))
          }),
          () => undefined,
        ),
  )

const fileOf = (service: ServiceName.ServiceName): Effect.Effect<Location> =>
  Effect.map(Environment.dataFolder, (folder) => ({ kind: "file", name: join(folder, `${service}.token`) }))

const decode = Schema.decodeOption(StoredText)

const parse = (location: Location, text: Redacted.Redacted | undefined) => {
  const entry = text && Option.getOrUndefined(decode(Redacted.value(text)))
  return entry && { ...entry, location }
}

export const find = Effect.fnUntraced(function* (service: ServiceName.ServiceName) {
  const secret = yield* withEntry(service, async (entry) => {
    const text = await entry.getPassword()
    return text ? Redacted.make(text) : undefined
  })
  const inKeychain = parse(keychain, secret)
  if (inKeychain !== undefined) return inKeychain
  const file = yield* fileOf(service)
  const text = yield* SecretFile.read(file.name)
  if (Option.isNone(text)) return undefined
  return parse(file, text.value) ?? (yield* new SecretFileError({ file: file.name, reason: "unreadable" }))
})

/** Removes the token of a service. Returns where it was stored. */
export const remove = Effect.fnUntraced(function* (service: ServiceName.ServiceName) {
  const wasInKeychain = yield* withEntry(service, (entry) => entry.deletePassword())
  const file = yield* fileOf(service)
  const wasInFile = yield* SecretFile.remove(file.name)
  return [...(wasInKeychain ? [keychain] : []), ...(wasInFile ? [file] : [])]
})

/** Stores the token of a service. Before it writes a file, it notes that on stderr. */
export const store = Effect.fnUntraced(function* (service: ServiceName.ServiceName, entry: Entry) {
  const text = Redacted.make(yield* Effect.orDie(Schema.encodeEffect(StoredText)(entry)))
  const file = yield* fileOf(service)
  const isStored = yield* withEntry(service, async (entry) => {
    await entry.setPassword(Redacted.value(text))
    return true
  })
  if (isStored) {
    // A file may exist from a time without a keychain.
    yield* SecretFile.remove(file.name)
    return keychain
  }
  if (SecretFile.isSafe)
    yield* Output.note(
      `vigil: No keychain is available. The token is stored in the file ${JSON.stringify(file.name)}, which only you can read (mode 600).`,
    )
  yield* SecretFile.write(file.name, text)
  return file
})
