/** The file in which a list is remembered that was not read to its end. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Checkpoint from "@vigil/health-client/Checkpoint"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { FileError, UsageError } from "../Failure.js"
import * as WholeFile from "../output/WholeFile.js"

/** What was asked for, by the names of the flags. A list is the same when all of it is. */
export type Asked = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Where to go on: after a page of the list with this index, when so many entries are printed. */
export interface Place {
  readonly list: number
  readonly checkpoint: Checkpoint.Checkpoint<ApiVersion.ApiVersion>
  readonly printed: number
}

/** The file of one list. */
export interface CheckpointFile {
  readonly path: string
  /** Where an earlier run stopped, if one did. */
  readonly place: Option.Option<Place>
  readonly save: (place: Place) => Effect.Effect<void, FileError>
  readonly remove: Effect.Effect<void, FileError>
}

/** A checkpoint is small; what is larger is something else. */
const mostBytes = 1_000_000

const schema = (apiVersion: ApiVersion.ApiVersion) =>
  Schema.parseJson(
    Schema.Struct({
      vigil: Schema.Literal("events list"),
      asked: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Array(Schema.String)) }),
      list: Schema.NonNegativeInt,
      printed: Schema.NonNegativeInt,
      checkpoint: Checkpoint.schema(apiVersion),
    }),
  )

/** What was asked for can be read whatever version it was asked of. */
const head = Schema.parseJson(
  Schema.Struct({ vigil: Schema.Literal("events list"), asked: Schema.Object.annotations({ title: "flags" }) }),
)

const isNone = "is no checkpoint of vigil events list"

/** What is wrong with a file, and what to do. */
export const refuse = (path: string, wrong: string): UsageError =>
  new UsageError({
    message: `--checkpoint-file ${JSON.stringify(path)} ${wrong}. Remove it to begin anew, or name another file.`,
  })

/** The text of a file; nothing when there is no file, or nothing in it. */
const read = (path: string): Effect.Effect<Option.Option<string>, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const unreadable = Effect.mapError((error: PlatformError.PlatformError) =>
      refuse(path, `can't be read (${WholeFile.reason(error)})`),
    )
    if (!(yield* unreadable(files.exists(path)))) return Option.none()
    const { size, type } = yield* unreadable(files.stat(path))
    if (type !== "File" || size > mostBytes) return yield* refuse(path, isNone)
    const text = yield* unreadable(files.readFileString(path))
    return Option.liftPredicate(text, (text) => text !== "")
  })

/** The flags in which two lists differ. */
const differences = (stored: object, asked: Asked): ReadonlyArray<string> => {
  const before = new Map<string, unknown>(Object.entries(stored))
  const flags = new Set([...before.keys(), ...Object.keys(asked)])
  return [...flags].filter((flag) => JSON.stringify(before.get(flag)) !== JSON.stringify(asked[flag]))
}

const decode = (path: string, text: string, asked: Asked, apiVersion: ApiVersion.ApiVersion) =>
  Effect.gen(function* () {
    const orNone = Effect.mapError(() => refuse(path, isNone))
    const stored = yield* orNone(Schema.decode(head)(text))
    const differing = differences(stored.asked, asked)
    if (differing.length > 0)
      return yield* refuse(path, `is of another list: it was asked for with another ${differing.join(", ")}`)
    return yield* orNone(Schema.decode(schema(apiVersion))(text))
  })

/** Opens the file for a list of this version. One that is no checkpoint, or that of another list, is a `UsageError`. */
export const open = (
  path: string,
  asked: Asked,
  apiVersion: ApiVersion.ApiVersion,
): Effect.Effect<CheckpointFile, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const provided = Effect.provideService(FileSystem.FileSystem, files)
    const failed = Effect.mapError(
      (error: PlatformError.PlatformError) => new FileError({ file: path, reason: WholeFile.reason(error) }),
    )
    const text = yield* read(path)
    const place = yield* Effect.transposeMapOption(text, (text) => decode(path, text, asked, apiVersion))
    return {
      path,
      place,
      save: (place) =>
        Effect.flatMap(
          Effect.orDie(Schema.encode(schema(apiVersion))({ vigil: "events list", asked, ...place })),
          // A link may hold a secret.
          (text) => failed(provided(WholeFile.write(path, `${text}\n`, 0o600))),
        ),
      remove: failed(files.remove(path, { force: true })),
    }
  })
