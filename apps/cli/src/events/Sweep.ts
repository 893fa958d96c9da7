/** `vigil events list --subscriptions-file`: a subscription that fails does not stop the others. */
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as HealthSweep from "@vigil/health-client/Sweep"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.js"
import * as Format from "../output/Format.js"
import { Output, type Service } from "../output/Output.js"
import { plural } from "../output/Plural.js"
import * as Connection from "../auth/Connection.js"
import * as Entry from "./Entry.js"
import * as Invalid from "./Invalid.js"
import type { Selection } from "./Selection.js"
import * as Subscriptions from "./Subscriptions.js"
import * as SweepEntry from "./SweepEntry.js"
import type * as Time from "../Time.js"
import * as Unmatched from "./Unmatched.js"
import type { AnyEvent, Outcome } from "./AnyEvent.js"

const warn = Effect.fnUntraced(function* ({ note }: Service, outcome: Outcome) {
  const { invalid, subscription } = outcome
  const [first] = invalid
  if (first !== undefined)
    yield* note(
      `vigil: ${subscription}: ${invalid.length === 1 ? "an entry is not an event" : `${invalid.length} entries are not events`}: ${Failure.describeEntry(first)}`,
    )
  if (outcome._tag === "Failed") yield* note(`vigil: ${subscription}: ${Failure.plain(outcome.error)}`)
})

const emptyTally = { done: 0, events: 0, invalid: 0, older: 0, errors: 0 }

type Tally = typeof emptyTally

const add = (tally: Tally, { _tag, events, invalid, older }: Outcome): Tally => ({
  done: tally.done + 1,
  events: tally.events + events.length,
  invalid: tally.invalid + invalid.length,
  older: tally.older + older,
  errors: tally.errors + (_tag === "Failed" ? 1 : 0),
})

/** `joined` is the number of events after merging. `isPrinted`: whether the format prints invalid entries. */
const summarize = ({ done, events, invalid }: Tally, joined: number | undefined, isPrinted: boolean): string => {
  const seen =
    joined === undefined
      ? `${plural(events, "event")} of`
      : `${plural(joined, "event")}, seen ${plural(events, "time")} in`
  return `${seen} ${plural(done, "subscription")}${Invalid.remark(invalid, isPrinted)}`
}

/** Fails if a subscription failed. */
const check = ({ done, errors }: Tally): Effect.Effect<void, Failure.Incomplete> =>
  errors === 0
    ? Effect.void
    : new Failure.Incomplete({ message: `${errors} of ${plural(done, "subscription")} failed: see above.` })

export interface Options extends Connection.Flags, Unmatched.Flags {
  readonly file: string
  readonly join: boolean
  readonly allowInvalid: boolean
  readonly apiVersion: ApiVersion.Known | undefined
  readonly format: Format.Format
  readonly selection: Selection
  readonly since: Time.Since | undefined
}

/** An outcome with the selected events. The others count as left out. */
const select = (outcome: Outcome, selects: (event: AnyEvent) => boolean): Outcome => {
  const events = outcome.events.filter(selects)
  return { ...outcome, events, older: outcome.older + outcome.events.length - events.length }
}

/** Lists the events of the subscriptions of a file. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const connection = yield* Connection.health(options)
  const { format, join } = options
  const { filter, selects } = options.selection
  const subscriptions = yield* Subscriptions.read(options.file)
  const output = yield* Output
  const names = Unmatched.make(options)
  const printsInvalid = selects === undefined && Format.isLossless(format)

  let tally = emptyTally
  const progress = Effect.suspend(() => {
    const { done, errors, events } = tally
    return output.status(
      `${done}/${plural(subscriptions.length, "subscription")}, ${errors} failed, ${plural(events, "event")}`,
    )
  })
  const outcomes = HealthSweep.sweep(subscriptions, {
    apiVersion: connection.apiVersion,
    filter,
    queryStartTime: options.since,
  }).pipe(
    Stream.provideService(HealthClient.HealthClient, connection.client),
    Stream.mapEffect((all) => {
      names.add(all.events)
      const outcome = selects === undefined ? all : select(all, selects)
      tally = add(tally, outcome)
      return Effect.as(Effect.andThen(warn(output, outcome), progress), outcome)
    }),
  )
  let joined = 0
  const all = Effect.map(Stream.runCollect(outcomes), (outcomes) => {
    const entries = SweepEntry.join([...outcomes])
    joined = Entry.count(entries).valid
    return entries
  })
  const entries = join ? Stream.fromEffect(all) : Stream.map(outcomes, SweepEntry.fromOutcome)
  const parts =
    selects === undefined ? entries : Stream.map(entries, (all) => all.filter(({ item }) => item !== undefined))
  // Without a complete list, the output has no end.
  const end = Stream.fromEffectDrain(Effect.suspend(() => (tally.errors === tally.done ? check(tally) : Effect.void)))
  yield* progress
  yield* Format.list(format, join ? SweepEntry.joined : SweepEntry.single, Stream.concat(parts, end)).pipe(
    Effect.ensuring(output.status(undefined)),
  )
  yield* output.note(summarize(tally, join ? joined : undefined, printsInvalid))
  yield* check(tally)
  yield* Effect.forEach(names.notes(), output.note, { discard: true })
  yield* Invalid.check(tally, options.allowInvalid)
})
