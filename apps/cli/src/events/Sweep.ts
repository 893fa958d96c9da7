/** `vigil events sweep`: the events of many subscriptions. */
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as HealthSweep from "@vigil/health-client/Sweep"
import * as Effect from "effect/Effect"
import * as Number from "effect/Number"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Failure from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import { Output, type Service } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as Entry from "./Entry.js"
import * as Invalid from "./Invalid.js"
import * as Source from "./Source.js"
import * as Subscriptions from "./Subscriptions.js"
import * as SweepEntry from "./SweepEntry.js"
import * as SweepTally from "./SweepTally.js"
import * as Time from "./Time.js"
import type { Outcome } from "./AnyEvent.js"

/** The number of concurrent requests of the client. */
const maxConcurrency = 16

const warn = ({ note }: Service, outcome: Outcome): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { invalid, subscription } = outcome
    const [first] = invalid
    if (first !== undefined)
      yield* note(
        `vigil: ${subscription}: ${invalid.length === 1 ? "an entry is not an event" : `${invalid.length} entries are not events`}: ${Failure.describeEntry(first)}`,
      )
    if (outcome._tag === "Failed") yield* note(`vigil: ${subscription}: ${Failure.plain(outcome.error)}`)
  })

export const command = Command.make({
  name: "sweep",
  description:
    "List the health events of many subscriptions. Their IDs come from a file or stdin. A subscription that fails does not stop the others.",
  examples: ["vigil events sweep --sandbox", "vigil events sweep --sandbox --join --since 12h --output csv"],
  flags: {
    ...Connection.flags,
    subscriptionsFile: Subscriptions.flag,
    concurrency: Flag.withDefault(
      Flag.integer("n", 1, maxConcurrency),
      "8",
      `Subscriptions to read at once, from 1 to ${maxConcurrency}`,
    ),
    join: Flag.boolean("Merge the same event of several subscriptions"),
    allowInvalid: Invalid.flag,
    since: Time.since("3d"),
    filter: Source.filter,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  run: function* ({ apiVersion, concurrency, join, output: format, since, ...flags }) {
    const connection = yield* Connection.health(flags)
    const subscriptions = yield* Subscriptions.read(connection, flags.subscriptionsFile)
    const output = yield* Output

    let tally = SweepTally.empty(subscriptions.length)
    const outcomes = HealthSweep.sweep(subscriptions, {
      apiVersion,
      concurrency,
      filter: Option.getOrUndefined(flags.filter),
      queryStartTime: Option.getOrUndefined(since),
    }).pipe(
      Stream.provideService(HealthClient.HealthClient, connection.client),
      Stream.tap((outcome) => {
        tally = SweepTally.add(tally, outcome)
        return Effect.zipRight(warn(output, outcome), output.status(SweepTally.progress(tally)))
      }),
    )
    let joined = 0
    const all = Effect.map(Stream.runCollect(outcomes), (outcomes) => {
      const entries = SweepEntry.join([...outcomes])
      joined = Entry.count(entries).valid
      return entries
    })
    const parts = join ? Stream.fromEffect(all) : Stream.map(outcomes, SweepEntry.fromOutcome)
    // Without a complete list, the output has no end.
    const end = Stream.execute(
      Effect.suspend(() => (SweepTally.isFailed(tally) && SweepTally.failure(tally)) || Effect.void),
    )
    yield* output.status(SweepTally.progress(tally))
    const left = yield* Format.list(
      format,
      join ? SweepEntry.joined : SweepEntry.single,
      Stream.concat(parts, end),
    ).pipe(Effect.ensuring(output.status(undefined)))
    const { invalid, valid } = Entry.count(left)
    /** Before merging. */
    const tooDeep = Number.sumAll(
      left.map(({ item, subscriptions }) => (item === undefined ? 0 : subscriptions.length)),
    )
    const printed = { ...tally, events: tally.events - tooDeep, invalid: tally.invalid - invalid }
    yield* output.note(SweepTally.summary(printed, join ? joined - valid : undefined, Format.isLossless(format)))
    yield* SweepTally.failure(tally) ?? Effect.void
    yield* Invalid.check({ ...tally, tooDeep }, flags.allowInvalid, "vigil events sweep")
  },
})
