/** The checkpoint file of `vigil events list`. */
import * as Checkpoint from "@vigil/health-client/Checkpoint"
import type { CheckpointMismatch } from "@vigil/health-client/CheckpointMismatch"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import * as AtomicFile from "../../files/AtomicFile.js"
import * as BoundedFile from "../../files/BoundedFile.js"
import { UsageError } from "../../flags/UsageError.js"
import { Output } from "../../output/Output.js"
import * as Beside from "../../lists/Beside.js"
import * as DeliveredState from "../../lists/DeliveredState.js"
import type * as Lists from "../../lists/Lists.js"
import type { Position } from "../../lists/Pages.js"

/** Checkpoints are small; a larger file is something else. */
const maxBytes = 1_000_000

const schema = Schema.fromJsonString(
  Schema.Struct({
    vigil: Schema.Literal("events list"),
    lists: Schema.Array(Schema.String),
    done: Schema.Array(Schema.String),
    printed: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    checkpoint: Checkpoint.Checkpoint,
  }),
)

const notCheckpoint = "is not a checkpoint of vigil events list"

const refuse = (path: string, problem: string): UsageError =>
  new UsageError(
    `--checkpoint-file ${JSON.stringify(path)} ${problem}. Remove the file to start again, or pass another file.`,
  )

/** The text of the file. Empty without a file. */
const read = (path: string) =>
  Effect.catch(BoundedFile.read(path, maxBytes), ({ detail, reason }) => {
    if (reason === "missing") return Effect.succeed("")
    return refuse(path, reason === "system" ? `can't be read (${detail})` : notCheckpoint)
  })

/**
 * Opens the file for these lists. Fails with `UsageError` if it is not a checkpoint, or is also that of another list. The current
 * list checks that the checkpoint is its own.
 */
export const open = Effect.fnUntraced(function* (path: string, lists: ReadonlyArray<Pick<Lists.Subject, "id">>) {
  const ids = lists.map(({ id }) => id)
  const files = yield* FileSystem.FileSystem
  const provided = Effect.provideService(FileSystem.FileSystem, files)
  const failed = Effect.mapError(AtomicFile.fileError(path))
  const text = yield* read(path)
  const position =
    text === ""
      ? undefined
      : yield* Effect.mapError(Schema.decodeEffect(schema)(text), () => refuse(path, notCheckpoint))
  const other = position?.lists.find((id) => !ids.includes(id))
  if (position !== undefined && other !== undefined && ids.includes(Beside.idOf(position.checkpoint.list)))
    return yield* refuse(path, `also belongs to ${Beside.nameOf(other) ?? JSON.stringify(other)}, which is not listed`)
  yield* AtomicFile.removeAbandoned(path)
  const output = yield* Output
  const write = (position: Position) =>
    Effect.flatMap(
      Effect.orDie(Schema.encodeEffect(schema)({ ...position, vigil: "events list", lists: ids })),
      // A link may contain a secret.
      (text) => failed(provided(AtomicFile.write(path, `${text}\n`, 0o600))),
    )
  const remove = failed(files.remove(path, { force: true }))
  const state = DeliveredState.make(output, (position?: Position) =>
    position === undefined ? remove : write(position),
  )
  state.start(position)
  let isSaved = false
  return {
    /** Where the previous run stopped. */
    position,
    /** The output to print to. If its reader is gone, the file has the position of the last data that was certainly read. */
    output: { ...output, data: state.data },
    save: (position: Position) => Effect.tap(state.save(position), () => Effect.sync(() => void (isSaved = true))),
    remove,
    /** Notes where the position is saved, if this run saved one. */
    noteSaved: Effect.suspend(() =>
      isSaved
        ? output.note(
            `The position is saved in ${JSON.stringify(path)}. Run the same command to resume after the last printed page.`,
          )
        : Effect.void,
    ),
    /** The error for the checkpoint of another list. */
    mismatch: ({ actual, expected, field }: CheckpointMismatch) =>
      refuse(
        path,
        `belongs to another list: its ${field} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
      ),
    refuse: (problem: string) => refuse(path, problem),
  }
})
