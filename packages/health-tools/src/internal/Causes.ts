/** What may explain the states of resources: the events of their subscriptions, and the resources that these impact. */
import * as Assessment from "@vigil/health-report/Assessment"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { plural } from "@vigil/health-text/Sentence"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Impacted from "../Impacted.js"
import * as Query from "./Query.js"
import { type Call, attempt } from "./Session.js"

/** Reads the events of the subscriptions of a call. `gaps` says what could not be read: a state may then have another cause. */
export const read = Effect.fnUntraced(function* (call: Call, subscriptions: ReadonlyArray<string> | undefined) {
  const { found, from, now, outcomes, readings } = yield* Query.read(call, { ...(subscriptions && { subscriptions }) })
  const listed = readings.flatMap(({ list, subscription }) => list.events.map((event) => ({ event, subscription })))
  const at = DateTime.toEpochMillis(now)
  const { apiVersion = ApiVersion.latest } = call.options
  const impacted = yield* Impacted.read(listed, {
    apiVersion,
    now: at,
    attempt: (list, subscription) => attempt(call, subscription ?? "", list),
  })
  const gaps = [
    ...outcomes.flatMap(({ invalid, problem, subscription }) => {
      const why = problem ?? (invalid > 0 ? plural(invalid, "invalid entry", "invalid entries") : undefined)
      return why === undefined ? [] : [`Not all events of ${call.scope.label(subscription)} were read: ${why}`]
    }),
    ...Impacted.failures(impacted).map(({ problem, source }) => `${source}: ${problem}`),
  ]
  return {
    from,
    now,
    gaps,
    assess: Assessment.make(at, {
      events: found.map(({ event }) => event),
      subscriptions: readings.map(({ list, subscription }) => ({ id: subscription, events: list.events })),
      impacted: Impacted.byEvent(impacted),
      metadata: impacted.metadata,
      isComplete: outcomes.every(({ invalid, problem }) => problem === undefined && invalid === 0),
    }),
  }
})
