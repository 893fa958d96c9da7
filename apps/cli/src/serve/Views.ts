/** The contents of responses for a state. Each is made at its first request, and shared by later requests until the next poll. */
import { createHash } from "node:crypto"
import type { AnyEvent } from "../events/AnyEvent.js"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Json from "../output/Json.js"
import * as Calendar from "./Calendar.js"
import * as LivePage from "@vigil/health-report/LivePage"
import * as Metrics from "./Metrics.js"
import type { Family } from "./MetricsText.js"
import * as State from "./State.js"

/** The content of a response, with a strong entity tag (RFC 9110, 8.8.3). */
export interface Representation {
  readonly type: string
  readonly body: Buffer
  readonly tag: string
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>
}

const represent = (type: string, text: string, headers = {}): Representation => {
  const body = Buffer.from(text)
  return { type, body, headers, tag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` }
}

/** Whether `If-None-Match` has the tag (13.1.2). The comparison is weak. */
export const isUnchanged = ({ tag }: Representation, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag))

export type Views = Readonly<Record<"page" | "events" | "calendar", () => Representation>>

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
      represent(
        "text/html; charset=utf-8",
        LivePage.make(snapshot, { version: State.version(state), failedAt: state.failedAt }),
        {
          "content-security-policy": LivePage.policy,
        },
      ),
    ),
    events: once(() => represent("application/json", `${list(events)}\n`)),
    calendar: once(() => represent("text/calendar; charset=utf-8", Calendar.make(source, state.maintenance, minutes))),
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
