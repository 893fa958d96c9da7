/** The keychain of the operating system. If it fails in any way, it is treated as missing. */
import type { AsyncEntry } from "@napi-rs/keyring"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Environment from "../settings/Environment.js"

/** On Linux, only the Secret Service is used: the kernel's keyring does not survive the login. The package is optional. */
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

/** Reads the text of an account, which is a secret. */
export const read = (account: string) =>
  withEntry(account, async (entry) => {
    const text = await entry.getPassword()
    return text ? Redacted.make(text) : undefined
  })

/** Stores the text of an account. Returns whether it succeeded. */
export const write = (account: string, text: Redacted.Redacted) =>
  withEntry(account, async (entry) => {
    await entry.setPassword(Redacted.value(text))
    return true
  })

/** Removes the text of an account. Returns whether one existed. */
export const remove = (account: string) => withEntry(account, (entry) => entry.deletePassword())
