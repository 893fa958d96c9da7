/** `vigil resources list --watch`: follows the states of resources, and prints their changes. */
import type * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Scope from "@vigil/health-client/Scope"
import * as Selection from "@vigil/health-client/Selection"
import type * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as StatusFeed from "@vigil/health-client/StatusFeed"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Connection from "../../connection/Connection.js"
import * as Lists from "../../lists/Lists.js"
import * as Watching from "../../watches/Watching.js"
import * as Lock from "../../files/Lock.js"
import * as StateFile from "../../files/StateFile.js"
import type * as Format from "../../output/Format.js"
import { Output, withTimes } from "../../output/Output.js"
import * as Problems from "../../output/Problems.js"
import * as StateChange from "./StateChange.js"

interface Flags extends Selection.Selection {
  readonly every: Duration.Duration | undefined
  readonly once: boolean
  readonly output: Format.Format
  readonly stateFile: string | undefined
}

interface Connected extends Pick<Connection.Health, "apiVersion" | "names"> {
  readonly availability: AvailabilityClient.Service
}

/** The watch of one subscription, one of `count`. */
const make = Effect.fnUntraced(function* (
  { apiVersion, availability, names }: Connected,
  subscription: SubscriptionId,
  count: number,
  { every = Duration.minutes(5), ...flags }: Flags,
) {
  const selects = Selection.matches(flags)
  const { color, width } = yield* Output
  const [label, subject] = count === 1 ? [] : [names.label(subscription), names.title(subscription)]
  const isSelected = (change: StatusChanges.Change) => {
    const states = "before" in change ? [change.before] : []
    return selects(change.id, ...states, ...("state" in change ? [change.state] : []))
  }
  const pages = availability.pages(Scope.subscription(subscription), { apiVersion })
  return yield* Watching.make({
    ...flags,
    every,
    subscription,
    count,
    subject,
    place: StateFile.resources,
    noun: Lists.statusNoun.entry,
    concurrency: 1,
    feed: StatusFeed.make(subscription, Stream.runCollect(pages)),
    handle: Effect.fnUntraced(function* (change, print) {
      if (!isSelected(change)) return
      const now = yield* DateTime.now
      yield* print(
        flags.output === "jsonl"
          ? [StateChange.json(change, now)]
          : StateChange.lines(change, now, { subscription: label, width, color }),
      )
    }),
  })
})

/** Watches subscriptions. A killed run repeats the changes of its last second, and never loses one. */
export const watch = Effect.fnUntraced(
  function* (connection: Connection.Health, ids: ReadonlyArray<SubscriptionId>, flags: Flags) {
    const { note, status } = yield* Output
    if (flags.stateFile !== undefined) yield* Lock.lock(flags.stateFile, "vigil resources list")
    const connected = { ...connection, availability: yield* connection.availability }
    const watches = yield* Effect.forEach(ids, (id) => make(connected, id, ids.length, flags))
    if (ids.length > 1 && !flags.once) yield* note(`Watching ${connection.names.summary(ids)}`)
    yield* Watching.run(watches).pipe(Effect.ensuring(status(undefined)), Problems.withoutWarnings)
  },
  Effect.updateService(Output, withTimes),
)
