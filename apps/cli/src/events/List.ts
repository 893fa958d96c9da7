/** `vigil events list`: the events of subscriptions or of a resource. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "../Command.js"
import { type FileError, UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
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
import * as Source from "./Source.js"
import * as Time from "./Time.js"
import * as Unmatched from "./Unmatched.js"

const open = (
  file: Option.Option<string>,
  format: Format.Format,
): Effect.Effect<Option.Option<CheckpointFile.CheckpointFile>, UsageError, FileSystem.FileSystem> => {
  if (Option.isNone(file)) return Effect.succeedNone
  if (format === "json")
    return new UsageError({
      message:
        "--checkpoint-file and --output json exclude each other: a JSON array can't be resumed. Pass --output jsonl.",
    })
  return Effect.asSome(CheckpointFile.open(file.value))
}

/** The output and the checkpoint file, which is rolled back if the reader of stdout is gone. */
const deliver = (output: Service, file: CheckpointFile.CheckpointFile) => {
  const state = DeliveredState.make<CheckpointFile.Place, FileError>(
    output,
    Option.match({ onNone: () => file.remove, onSome: file.save }),
  )
  state.start(file.place)
  return { output: { ...output, data: state.data }, file: { ...file, save: state.save } }
}

const inSandbox =
  "has a place in the sandbox of an earlier command, which ended with it. To go on with lists, serve one sandbox for all: run vigil sandbox, and the lines that it prints"

export const command = Command.make({
  name: "list",
  description:
    "List the health events of subscriptions or of a resource, all pages. Without --since, a subscription's list has the events of the last three days.",
  examples: [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
  ],
  flags: {
    ...Connection.flags,
    subscription: Source.subscriptions,
    resource: Source.resource,
    since: Time.since,
    ...Selection.flags,
    limit: Flag.optional(Flag.integer("n", 1), "Stop after n events; with --checkpoint-file, after their page"),
    allowInvalid: Invalid.flag,
    checkpointFile: Flag.optional(Flag.text("file"), "Save the position here, and resume there; removed at the end"),
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  run: ({ apiVersion, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const output = yield* Output
        const selection = Selection.make(flags)
        const limit = Option.getOrElse(flags.limit, () => Infinity)
        yield* Lists.check(flags)
        const connection = yield* Connection.health(flags)
        const lists = yield* Lists.of(connection, flags, {
          apiVersion,
          filter: selection.filter,
          queryStartTime: Option.getOrUndefined(flags.since),
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
})
