/** `vigil events watch`: prints the changes of the events of subscriptions. */
import * as Effect from "effect/Effect"
import * as Command from "../Command.js"
import * as Failure from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Deliver from "../notify/Deliver.js"
import * as RoutesFile from "../notify/RoutesFile.js"
import { Output } from "../output/Output.js"
import * as Connection from "../auth/Connection.js"
import * as Polling from "./Polling.js"
import * as Source from "./Source.js"
import * as StateFile from "./StateFile.js"
import * as Subscriptions from "./Subscriptions.js"
import * as Time from "../Time.js"
import * as WatchLine from "./WatchLine.js"
import * as WatchRun from "./WatchRun.js"

const printers = { lines: WatchLine.line, jsonl: WatchLine.json }

/** Runs all watches. One that fails does not end the others, but a closed stdout does. */
const runAll = Effect.fnUntraced(function* (runs: ReadonlyArray<WatchRun.WatchRun>) {
  const { note } = yield* Output
  const results = yield* Effect.forEach(
    runs,
    ({ run, subject }) =>
      Effect.catch(Effect.as(run, []), (error) =>
        error._tag === "OutputError"
          ? Effect.fail(error)
          : Effect.as(note(Polling.notePrefix(subject) + Failure.plain(error)), [error]),
      ),
    { concurrency: "unbounded" },
  ).pipe(Effect.tapError(() => Effect.forEach(runs, ({ restore }) => restore)))
  const failures = results.flat().length
  if (failures > 0)
    yield* new Failure.Incomplete({
      message: `${failures} of ${runs.length} subscriptions could not be watched: see above.`,
    })
})

export const command = Command.make({
  description:
    "Watch the health events of subscriptions. Prints a line for each event that appears, changes, is resolved, is reopened or disappears.",
  examples: [
    "vigil events watch --sandbox --every 10m",
    "vigil events watch --sandbox --once --lookback 12h --output jsonl",
  ],
  flags: {
    ...Connection.flags,
    subscription: Source.subscriptions,
    subscriptionsFile: Subscriptions.flag,
    every: Polling.every,
    lookback: Flag.withDefault(Time.duration("365 days"), "3d", "Start of the first poll, and overlap of later polls"),
    stateFile: StateFile.flag,
    routes: RoutesFile.flag,
    once: Flag.boolean("Poll once and exit, as for cron"),
    filter: Source.filter,
    apiVersion: Source.apiVersion,
    output: Flag.withDefault(Flag.oneOf(["lines", "jsonl"], "format"), "lines", "lines or jsonl", "o"),
  },
  run: function* ({ output: format, ...flags }) {
    const connection = yield* Connection.health(flags)
    const { status } = yield* Output
    const ids = yield* Subscriptions.named(connection, flags)
    const isOne = ids.length === 1
    const deliver = flags.routes === undefined ? undefined : yield* Deliver.make({ ...flags, routes: flags.routes })
    const runs = yield* Effect.forEach(ids, (subscription) =>
      WatchRun.make({
        ...flags,
        client: connection.client,
        apiVersion: connection.apiVersion,
        subscription,
        subject: isOne ? undefined : subscription,
        stateFile: flags.stateFile && StateFile.nameFor(flags.stateFile, subscription, ids.length),
        onChange: (change) => deliver?.change(change, subscription) ?? Effect.void,
        print: (change, now) => printers[format](change, now, isOne ? undefined : subscription),
      }),
    )
    const [only] = runs
    const watch: Effect.Effect<void, Failure.Failure, Output> = isOne && only !== undefined ? only.run : runAll(runs)
    yield* watch.pipe(Effect.ensuring(status(undefined)), Polling.withoutWarnings)
    if (deliver !== undefined) yield* deliver.end
  },
})
