/** The keychain of the operating system. If it fails in any way, it is treated as missing. */
import type { AsyncEntry } from "@napi-rs/keyring"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { UsageError } from "../Failure.js"
import * as Environment from "../settings/Environment.js"

/** On Linux, only the Secret Service is used: the kernel's keyring does not survive the login. The package is optional. */
const withEntry = <A>(account: string, use: (entry: AsyncEntry) => Promise<A>) =>
  Effect.flatMap(Environment.isOn("VIGIL_NO_KEYCHAIN"), (isOff) =>
    isOff
      ? Effect.succeedNone
      : Effect.option(
          Effect.tryPromise(async () => {
            const keyring = await import("@napi-rs/keyring")
            return use(new keyring.AsyncEntry("vigil", account, { linux: { store: "secret-service" } }))
          }),
        ),
  )

export const read = (account: string): Effect.Effect<Option.Option<Redacted.Redacted>, UsageError> =>
  Effect.map(
    withEntry(account, (entry) => entry.getPassword()),
    (text) =>
      Option.map(
        Option.flatMapNullishOr(text, (text) => text),
        Redacted.make,
      ),
  )

/** Stores the text of an account. Returns whether it succeeded. */
export const write = (account: string, text: Redacted.Redacted): Effect.Effect<boolean, UsageError> =>
  Effect.map(
    withEntry(account, (entry) => entry.setPassword(Redacted.value(text))),
    Option.isSome,
  )

/** Removes the text of an account. Returns whether one existed. */
export const remove = (account: string): Effect.Effect<boolean, UsageError> =>
  Effect.map(
    withEntry(account, (entry) => entry.deletePassword()),
    Option.getOrElse(() => false),
  )
