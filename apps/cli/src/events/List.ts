/** `vigil events list`: the events of subscriptions, of a resource or of the tenant. */
import * as Effect from "effect/Effect"
import * as Command from "../Command.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import { Output, type Service } from "../output/Output.js"
import * as Connection from "../auth/Connection.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as DeliveredState from "./DeliveredState.js"
import * as Entry from "./Entry.js"
import * as Invalid from "./Invalid.js"
import * as ListRun from "./ListRun.js"
import * as Lists from "./Lists.js"
import * as Progress from "./Progress.js"
import * as Selection from "./Selection.js"
import * as Source from "./Source.js"
import * as Subscriptions from "./Subscriptions.js"
import * as Sweep from "./Sweep.js"
import * as Time from "../Time.js"
import * as Unmatched from "./Unmatched.js"

/** The output and the checkpoint file, which is rolled back if the reader of stdout is gone. */
const deliver = (output: Service, file: CheckpointFile.CheckpointFile) => {
  const state = DeliveredState.make(output, (position?: CheckpointFile.Position) =>
    position === undefined ? file.remove : file.save(position),
  )
  state.start(file.position)
  return { output: { ...output, data: state.data }, file: { ...file, save: state.save } }
}

/** The names of the flags that `--subscriptions-file` excludes. */
const excluded = (flags: Lists.Flags & Record<"checkpointFile" | "limit", unknown>): ReadonlyArray<string> => [
  ...Lists.named(flags),
  ...(flags.limit === undefined ? [] : ["--limit"]),
  ...(flags.checkpointFile === undefined ? [] : ["--checkpoint-file"]),
]

const sandboxProblem =
  "belongs to the sandbox of an earlier command, which has ended. To resume lists, run vigil sandbox and the lines that it prints"

export const command = Command.make({
  description:
    "List the health events of subscriptions, of a resource or of the tenant. Without --since, the list of a subscription or the tenant has the events of the last three days.",
  examples: [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
    "vigil events list --sandbox --subscriptions-file subscriptions.txt --join --output csv",
  ],
  flags: {
    ...Connection.flags,
    ...Lists.flags,
    subscriptionsFile: Subscriptions.flag,
    join: Flag.boolean("Merge the same event of several subscriptions of the file"),
    since: Time.since("3d"),
    ...Selection.flags,
    limit: Flag.optional(Flag.integer("n", 1), "Stop after n events; with --checkpoint-file, after their page"),
    allowInvalid: Invalid.flag,
    checkpointFile: Flag.optional(Flag.text("file"), "Save the position in this file and resume from it"),
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  run: function* ({ output: format, ...flags }) {
    const output = yield* Output
    const selection = Selection.make(flags)
    if (flags.subscriptionsFile !== undefined) {
      const [other] = excluded(flags)
      return other === undefined
        ? yield* Sweep.run({ ...flags, file: flags.subscriptionsFile, format, selection })
        : yield* new UsageError(`${other} and --subscriptions-file are mutually exclusive: pass one of them.`)
    }
    if (flags.join) return yield* new UsageError("--join requires --subscriptions-file.")
    yield* Lists.check(flags)
    if (flags.checkpointFile !== undefined && format === "json")
      return yield* new UsageError(
        "--checkpoint-file and --output json are mutually exclusive: a JSON array can't be resumed. Pass --output jsonl.",
      )
    const connection = yield* Connection.health(flags)
    const lists = yield* Lists.make(connection, flags, {
      apiVersion: connection.apiVersion,
      filter: selection.filter,
      queryStartTime: flags.since,
    })
    const ids = lists.map(({ id }) => id)
    const file = flags.checkpointFile === undefined ? undefined : yield* CheckpointFile.open(flags.checkpointFile, ids)
    if (file?.position !== undefined) {
      if (connection.sandbox !== undefined) return yield* CheckpointFile.refuse(file.path, sandboxProblem)
      yield* output.note(`Resuming after page ${file.position.checkpoint.pages} from ${JSON.stringify(file.path)}.`)
    }
    const progress = yield* Progress.make
    const delivered = file && deliver(output, file)
    const run = ListRun.make({
      lists,
      selects: selection.selects,
      printsInvalid: Format.isLossless(format),
      limit: flags.limit ?? Infinity,
      file: delivered?.file,
      progress,
      names: Unmatched.make(flags),
    })
    yield* Format.list(format, Entry.shape, run.parts, run.printedBefore).pipe(
      Effect.provideService(Output, delivered?.output ?? output),
      Effect.ensuring(output.status(undefined)),
    )
    yield* run.end
    yield* Effect.forEach(yield* run.unmatched, output.note, { discard: true })
    yield* output.note(yield* run.summary)
    yield* Invalid.check(yield* progress.tally, flags.allowInvalid)
  },
})
