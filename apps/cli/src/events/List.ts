/** `vigil events list`: the events of subscriptions, one after the other, or of a resource. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type FileError, UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import { Output, type Service } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as DeliveredState from "./DeliveredState.js"
import * as Entry from "./Entry.js"
import * as Invalid from "./Invalid.js"
import * as ListRun from "./ListRun.js"
import * as Lists from "./Lists.js"
import * as Progress from "./Progress.js"
import * as Selection from "./Selection.js"
import * as Since from "./Since.js"
import * as Source from "./Source.js"
import * as Unmatched from "./Unmatched.js"

const limit = Options.integer("limit").pipe(
  Options.withDescription("Stop after this many events; with --checkpoint-file, after their page."),
  Options.withPseudoName("count"),
  Options.optional,
)

const checkpointFile = Options.text("checkpoint-file").pipe(
  Options.withDescription("Keep the position in this file and resume there; removed at the end of the list."),
  Options.withPseudoName("file"),
  Options.optional,
)

const limitOf = (limit: Option.Option<number>): Effect.Effect<number, UsageError> => {
  const count = Option.getOrElse(limit, () => Number.POSITIVE_INFINITY)
  return count >= 1
    ? Effect.succeed(count)
    : new UsageError({ message: `--limit ${count} is not valid: give how many events to print, at least 1.` })
}

/** The file. An array of JSON has one end: no second run can go on with it. */
const open = (
  file: Option.Option<string>,
  format: Format.Format,
): Effect.Effect<Option.Option<CheckpointFile.CheckpointFile>, UsageError, FileSystem.FileSystem> => {
  if (Option.isNone(file)) return Effect.succeedNone
  if (format === "json")
    return new UsageError({
      message:
        "--checkpoint-file and --output json exclude each other, as an array can't be gone on with: give --output jsonl.",
    })
  if (file.value === "")
    return new UsageError({ message: `--checkpoint-file "" is not valid: give the path of a file.` })
  return Effect.asSome(CheckpointFile.open(file.value))
}

/** The output of a list and its file, which is rolled back when the reader of the output is gone. */
const deliver = (output: Service, file: CheckpointFile.CheckpointFile) => {
  const state = DeliveredState.make<CheckpointFile.Place, FileError>(
    output,
    Option.match({ onNone: () => file.remove, onSome: file.save }),
  )
  state.start(file.place)
  return { output: { ...output, data: state.data }, file: { ...file, save: state.save } }
}

/** Why a list of `--sandbox` can't be gone on with. */
const inSandbox =
  "has a place in the sandbox of an earlier command, which ended with it. To go on with lists, serve one sandbox for all: run vigil sandbox, and the lines that it prints"

/** The command. */
export const command = Command.make(
  "list",
  {
    ...Connection.flags,
    subscription: Source.subscriptions,
    resource: Source.resource,
    since: Since.flag,
    ...Selection.flags,
    limit,
    allowInvalid: Invalid.flag,
    checkpointFile,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  ({ apiVersion, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const output = yield* Output
        const selection = yield* Selection.parse(flags)
        const limit = yield* limitOf(flags.limit)
        const since = yield* Effect.transposeMapOption(flags.since, Since.parse)
        yield* Lists.check(flags)
        const connection = yield* Connection.health(flags)
        const lists = yield* Lists.of(connection, flags, {
          apiVersion,
          filter: selection.filter,
          queryStartTime: Option.getOrUndefined(since),
        })
        const file = yield* open(flags.checkpointFile, format)
        if (Option.isSome(file) && Option.isSome(file.value.place)) {
          if (Option.isSome(connection.sandbox)) return yield* CheckpointFile.refuse(file.value.path, inSandbox)
          yield* output.note(
            `Going on after page ${file.value.place.value.checkpoint.pages}, as ${JSON.stringify(file.value.path)} says.`,
          )
        }
        const progress = yield* Progress.make
        const printsInvalid = Format.isLossless(format)
        const names = Unmatched.make(flags)
        const delivered = Option.map(file, (file) => deliver(output, file))
        const run = ListRun.make({
          lists,
          wants: selection.wants,
          printsInvalid,
          limit,
          file: Option.map(delivered, ({ file }) => file),
          progress,
          names,
        })
        const tooDeep = yield* Format.list(format, Entry.shape, run.parts, run.resumed).pipe(
          Effect.provideService(
            Output,
            Option.match(delivered, { onNone: () => output, onSome: ({ output }) => output }),
          ),
          Effect.ensuring(output.status(undefined)),
        )
        const left = tooDeep.filter(({ event }) => event !== undefined).length
        yield* run.end
        yield* Effect.forEach(yield* run.unmatched, output.note, { discard: true })
        yield* output.note(yield* run.summary(tooDeep))
        const { events, invalid } = yield* progress.tally
        yield* Invalid.check({ events: events - left, invalid: invalid + left }, flags.allowInvalid)
      }),
    ),
).pipe(
  Command.withDescription(
    "List the health events of a subscription (those that were updated in the last three days, or since --since) or of a resource, all pages.",
  ),
)
