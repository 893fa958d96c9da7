/** The keychain of the operating system. If it fails in any way, it is treated as missing. */
import type { AsyncEntry } from "@napi-rs/keyring"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { UsageError } from "../Failure.js"
import * as Environment from "../settings/Environment.js"

/** On Linux, only the Secret Service is used: the kernel's keyring does not survive the login. The package is optional. */
const entry = (account: string): Effect.Effect<Option.Option<AsyncEntry>, UsageError> =>
  Effect.flatMap(Environment.isOn("VIGIL_NO_KEYCHAIN"), (isOff) =>
    isOff
      ? Effect.succeedNone
      : Effect.option(
          Effect.tryPromise(async () => {
            const keyring = await import("@napi-rs/keyring")
            return new keyring.AsyncEntry("vigil", account, { linux: { store: "secret-service" } })
          }),
        ),
  )

const attempt = <A>(account: string, use: (entry: AsyncEntry) => Promise<A>) =>
  Effect.map(
    entry(account),
    Option.map((found) => Effect.tryPromise(() => use(found))),
  ).pipe(Effect.flatMap(Option.match({ onNone: () => Effect.succeedNone, onSome: Effect.option })))

/** Reads the text of an account. */
export const read = (account: string): Effect.Effect<Option.Option<Redacted.Redacted>, UsageError> =>
  Effect.map(
    attempt(account, (found) => found.getPassword()),
    Option.flatMap((text) => Option.map(Option.fromNullable(text), Redacted.make)),
  )

/** Stores the text of an account. Returns whether it succeeded. */
export const write = (account: string, text: Redacted.Redacted): Effect.Effect<boolean, UsageError> =>
  Effect.map(
    attempt(account, (found) => found.setPassword(Redacted.value(text))),
    Option.isSome,
  )

/** Removes the text of an account. Returns whether one existed. */
export const remove = (account: string): Effect.Effect<boolean, UsageError> =>
  Effect.map(
    attempt(account, (found) => found.deletePassword()),
    Option.getOrElse(() => false),
  )
