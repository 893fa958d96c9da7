/** The representations of a state. Each is made at its first request, and shared by later requests until the next poll. */
import type { AnyEvent } from "../events/AnyEvent.js"
import type { Snapshot } from "../events/Snapshot.js"
import * as Json from "../output/Json.js"
import * as Calendar from "./Calendar.js"
import * as LivePage from "./LivePage.js"
import * as Metrics from "./Metrics.js"
import type { Family } from "./MetricsText.js"
import * as Representation from "./Representation.js"
import * as State from "./State.js"

export interface Views {
  readonly page: () => Representation.Representation
  readonly events: () => Representation.Representation
  readonly calendar: () => Representation.Representation
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** All events that are not nested too deeply for JSON. */
const list = (events: ReadonlyArray<AnyEvent>): string =>
  `[${events.flatMap((event) => Json.line(event) ?? []).join(",\n")}]`

const make = (state: State.State, snapshot: Snapshot, minutes: number): Views => {
  const { events, source } = snapshot
  return {
    page: once(() =>
      Representation.make("text/html; charset=utf-8", LivePage.make(snapshot, State.version(state), state.failedAt), {
        "content-security-policy": LivePage.policy,
      }),
    ),
    events: once(() => Representation.make("application/json", `${list(events)}\n`)),
    calendar: once(() =>
      Representation.make("text/calendar; charset=utf-8", Calendar.make(source, state.maintenance, minutes)),
    ),
  }
}

/** The views of the current state. `every`: the time between polls, in milliseconds. */
export const maker = (every: number) => {
  const minutes = Math.max(1, Math.round(every / 60_000))
  let viewsState: State.State | undefined
  let views: Views | undefined
  let metrics: () => ReadonlyArray<Family> = () => []
  const current = (state: State.State) => {
    if (state === viewsState) return
    const { snapshot } = state
    const next = snapshot && make(state, snapshot, minutes)
    // A failed poll changes only the page.
    views = next && views && viewsState?.snapshot === snapshot ? { ...views, page: next.page } : next
    metrics = once(() => Metrics.events(state))
    viewsState = state
  }
  return {
    /** `undefined` until a poll has succeeded. */
    views: (state: State.State): Views | undefined => {
      current(state)
      return views
    },
    metrics: (state: State.State): ReadonlyArray<Family> => {
      current(state)
      return metrics()
    },
  }
}
