/** Where a watch stores its state: in memory, or in a file that is replaced atomically. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as PlatformError from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

const problems = {
  unreadable: "was not written by a watch. Use another store, or remove the state to start over",
  other: "belongs to another subscription, version or filter. Use another store, or remove the state to start over",
  tooDeep: "contains an event that is nested too deep. Pass a filter that excludes the event",
}

/**
 * The state of a watch could not be loaded or saved. `reason` is `unavailable` if the store failed (see `cause`), `unreadable` if no watch
 * wrote the text, `other` if it belongs to another subscription, version or filter, and `tooDeep` if an event is nested thousands of levels
 * deep.
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

/** Stores one text. A kill during `save` must leave the old text or the new one. @category models @since 0.2.0 */
export interface Service {
  /** Returns `undefined` if nothing is stored. */
  readonly load: Effect.Effect<string | undefined, WatchStoreError>
  /** Replaces what is stored. */
  readonly save: (state: string) => Effect.Effect<void, WatchStoreError>
}

/** The store of one watch. @category tags @since 0.2.0 */
export class WatchStore extends Context.Service<WatchStore, Service>()("@vigil/health-client/WatchStore") {}

/** Creates a store in memory. @category constructors @since 0.2.0 */
export const makeMemory: Effect.Effect<Service> = Effect.sync(() => {
  let stored: string | undefined
  return { load: Effect.sync(() => stored), save: (state) => Effect.sync(() => void (stored = state)) }
})

const failed = (operation: WatchStoreError["operation"]) =>
  Effect.mapError(
    (cause: PlatformError.PlatformError) => new WatchStoreError({ operation, reason: "unavailable", cause }),
  )

/** A state has at most some thousand events. */
const maxBytes = 256_000_000

const isMissing = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"

/** Reading a device or a named pipe may never end, and `save` would replace it. Returns whether the file exists. */
const checkFile = (files: FileSystem.FileSystem, path: string): Effect.Effect<boolean, PlatformError.PlatformError> =>
  files.stat(path).pipe(
    Effect.flatMap(({ size, type }) => {
      if (type === "File" && Number(size) <= maxBytes) return Effect.succeed(true)
      const description = type === "File" ? `${path} is larger than ${maxBytes} bytes` : `${path} is not a regular file`
      return Effect.fail(PlatformError.badArgument({ module: "WatchStore", method: "makeFile", description }))
    }),
    Effect.catchIf(isMissing, () => Effect.succeed(false)),
  )

/**
 * Creates a store in a file, which only its owner can read (mode 600). `save` writes a temporary file in the same folder, flushes it to the
 * disk, and renames it. A device, a named pipe, a folder and a file above 256 MB fail with the reason `unavailable`.
 * @category constructors @since 0.2.0
 */
export const makeFile = (path: string): Effect.Effect<Service, never, FileSystem.FileSystem> =>
  Effect.map(FileSystem.FileSystem, (files) => ({
    load: Effect.flatMap(checkFile(files, path), (exists) =>
      exists ? Stream.mkString(Stream.decodeText(files.stream(path, { bytesToRead: maxBytes }))) : Effect.undefined,
    ).pipe(
      Effect.catchIf(isMissing, () => Effect.undefined),
      failed("load"),
    ),
    save: (state) => {
      const part = `${path}.${crypto.randomUUID()}.part`
      return Effect.scoped(
        Effect.gen(function* () {
          yield* checkFile(files, path)
          const file = yield* files.open(part, { flag: "wx", mode: 0o600 })
          yield* file.writeAll(new TextEncoder().encode(state))
          yield* file.sync
        }),
      ).pipe(
        Effect.andThen(files.rename(part, path)),
        Effect.onError(() => Effect.ignore(files.remove(part))),
        failed("save"),
      )
    },
  }))

/** Provides a store in memory, which a restart empties. @category layers @since 0.2.0 */
export const layerMemory: Layer.Layer<WatchStore> = Layer.effect(WatchStore, makeMemory)

/** Provides a store in a file: see `makeFile`. @category layers @since 0.2.0 */
export const layerFile = (path: string): Layer.Layer<WatchStore, never, FileSystem.FileSystem> =>
  Layer.effect(WatchStore, makeFile(path))
