/** Where watches store their states: a folder of files that are replaced atomically, as a `KeyValueStore`. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Option from "effect/Option"
import * as PlatformError from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** What is wrong with a state, and what to do. */
const problems = {
  unreadable: "was not written by a watch. Use another store, or remove the state to start over",
  other: "belongs to another subscription or filter. Use another store, or remove the state to start over",
  tooDeep: "contains an event that is nested too deep. Pass a filter that excludes the event",
}

/**
 * The state of a watch could not be loaded or saved. `reason` is `unavailable` if the store failed (see `cause`), `unreadable` if no watch
 * wrote the text, `other` if it belongs to another subscription or filter, and `tooDeep` if an event is nested thousands of levels deep.
 * @category errors @since 0.2.0
 */
export class WatchStoreError extends Schema.TaggedError<WatchStoreError>()("WatchStoreError", {
  operation: Schema.Literals(["load", "save"]),
  reason: Schema.Literals(["unavailable", "unreadable", "other", "tooDeep"]),
  cause: Schema.optional(Schema.Defect()),
}) {
  get service(): string {
    return "health"
  }
  /** `true` if the store failed. */
  get isRetryable(): boolean {
    return this.reason === "unavailable"
  }
  override get message(): string {
    if (this.reason !== "unavailable") return `The state of the watch ${problems[this.reason]}.`
    const why = this.cause instanceof Error ? `: ${this.cause.message}` : ""
    return `Could not ${this.operation} the state of the watch${why}. Check the store.`
  }
}

/** A state has at most some thousand events. */
const maxBytes = 256_000_000

const isMissing = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"

const invalid = (description: string) =>
  PlatformError.badArgument({ module: "WatchStore", method: "layerFolder", description })

/** Reading a device or a named pipe may never end, and a write would replace it. Returns whether the file exists. */
const checkFile = (files: FileSystem.FileSystem, path: string): Effect.Effect<boolean, PlatformError.PlatformError> =>
  files.stat(path).pipe(
    Effect.flatMap(({ size, type }) => {
      if (type === "File" && Number(size) <= maxBytes) return Effect.succeed(true)
      const description = type === "File" ? `${path} is larger than ${maxBytes} bytes` : `${path} is not a regular file`
      return Effect.fail(invalid(description))
    }),
    Effect.catchIf(isMissing, () => Effect.succeed(false)),
  )

const extension = ".json"
const temporary = ".part"

/** An unpaired surrogate cannot be encoded. */
const nameOf = Option.liftThrowable((key: string) => `${encodeURIComponent(key)}${extension}`)

const decode = Option.liftThrowable(decodeURIComponent)

/** The key of a file. Other programs may have put files into the folder. */
const keyOf = (name: string): Option.Option<string> =>
  Option.filter(decode(name.slice(0, -extension.length)), (key) => Option.contains(nameOf(key), name))

/**
 * Provides a `KeyValueStore` in a folder, which is created if it is missing. Each value is a file that only its owner can read (mode 600). A
 * write goes to a temporary file, which is flushed to the disk and renamed, so that a kill leaves the old value or the new one. Temporary
 * files that a kill left are removed when the layer is built.
 *
 * A device, a named pipe, a folder and a file above 256 MB in place of a value are not read, and not replaced.
 * @category layers @since 0.2.0
 */
export const layerFolder = (
  folder: string,
): Layer.Layer<KeyValueStore.KeyValueStore, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Layer.effect(
    KeyValueStore.KeyValueStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const pathOf = (key: string) =>
        Option.match(nameOf(key), {
          onNone: () => Effect.fail(invalid("the key contains an unpaired surrogate")),
          onSome: (name) => Effect.succeed(`${folder}/${name}`),
        })
      const names = files.readDirectory(folder)

      const read = (path: string) =>
        Effect.flatMap(checkFile(files, path), (exists) =>
          exists ? Stream.mkString(Stream.decodeText(files.stream(path, { bytesToRead: maxBytes }))) : Effect.undefined,
        ).pipe(Effect.catchIf(isMissing, () => Effect.undefined))
      const writePart = (part: string, text: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const file = yield* files.open(part, { flag: "wx", mode: 0o600 })
            yield* file.writeAll(new TextEncoder().encode(text))
            yield* file.sync
          }),
        )
      const replace = (path: string, text: string) =>
        Effect.suspend(() => {
          const part = `${path}.${crypto.randomUUID()}${temporary}`
          return Effect.andThen(writePart(part, text), files.rename(part, path)).pipe(
            Effect.onError(() => Effect.ignore(files.remove(part))),
          )
        })
      const write = (path: string, text: string) =>
        Effect.andThen(
          checkFile(files, path),
          // Other processes that start with this folder may have removed the temporary file.
          Effect.retry(replace(path, text), { while: isMissing, times: 3 }),
        ).pipe(
          // An interrupted rename can still happen, after a later one.
          Effect.uninterruptible,
        )
      const remove = (path: string) => Effect.catchIf(files.remove(path), isMissing, () => Effect.void)
      const removeKey = (key: string) => Effect.flatMap(pathOf(key), remove)

      const failed = (method: string, key?: string) =>
        Effect.mapError(
          (cause: PlatformError.PlatformError) =>
            new KeyValueStore.KeyValueStoreError({
              method,
              message: cause.message,
              cause,
              ...(key === undefined ? {} : { key }),
            }),
        )
      const keys = Effect.map(names, (names) => names.flatMap((name) => Option.toArray(keyOf(name))))

      yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
      for (const name of yield* names) if (name.endsWith(temporary)) yield* remove(`${folder}/${name}`)
      return KeyValueStore.makeStringOnly({
        get: (key) => failed("get", key)(Effect.flatMap(pathOf(key), read)),
        set: (key, text) => failed("set", key)(Effect.flatMap(pathOf(key), (path) => write(path, text))),
        remove: (key) => failed("remove", key)(removeKey(key)),
        clear: failed("clear")(Effect.flatMap(keys, Effect.forEach(removeKey, { discard: true }))),
        size: failed("size")(Effect.map(keys, ({ length }) => length)),
        keys: failed("keys")(keys),
      })
    }),
  )
