/** Files of this user as a `KeyValueStore`: each key has a file, which is replaced atomically. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import type * as PlatformError from "effect/PlatformError"
import * as AtomicFile from "./AtomicFile.js"
import * as BoundedFile from "./BoundedFile.js"

/** A state has at most some thousand events. */
const maxBytes = 256_000_000

const root = 0

/** The text of a file, if there is one. In a folder that users share, another one may have put a file in its place. Volumes of containers have files of the root user. */
export const read = (file: string) => {
  const me = process.getuid?.()
  return BoundedFile.read(file, maxBytes, ({ uid }) =>
    me === undefined || uid === me || uid === root ? undefined : "it belongs to another user",
  ).pipe(
    // An empty file counts as missing: a store never leaves one.
    Effect.map((text) => (text.trim() === "" ? undefined : text)),
    Effect.catchIf(
      ({ reason }) => reason === "missing",
      () => Effect.undefined,
    ),
    Effect.mapError((cause) => new KeyValueStore.KeyValueStoreError({ method: "get", message: cause.detail, cause })),
  )
}

const failed = (method: string) =>
  Effect.mapError(
    (cause: PlatformError.PlatformError) =>
      new KeyValueStore.KeyValueStoreError({ method, message: AtomicFile.reason(cause), cause }),
  )

/** The store of these keys. The message of an error is its reason. `size` is the number of files that exist. */
export const make = Effect.fnUntraced(function* (keys: ReadonlyArray<string>, pathOf: (key: string) => string) {
  const files = yield* FileSystem.FileSystem
  for (const key of keys) yield* AtomicFile.removeAbandoned(pathOf(key))
  const remove = (key: string) => failed("remove")(files.remove(pathOf(key), { force: true }))
  return KeyValueStore.makeStringOnly({
    get: (key) => read(pathOf(key)),
    set: (key, text) =>
      AtomicFile.write(pathOf(key), text, 0o600).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        failed("set"),
      ),
    remove,
    clear: Effect.forEach(keys, remove, { discard: true }),
    keys: Effect.succeed([...keys]),
    size: Effect.map(
      Effect.forEach(keys, (key) => read(pathOf(key))),
      (texts) => texts.filter((text) => text !== undefined).length,
    ),
  })
})
