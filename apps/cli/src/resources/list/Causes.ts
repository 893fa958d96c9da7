/** What may explain the states of resources: the events of their subscriptions, and the resources that these impact. */
import * as Listing from "@vigil/health-client/Listing"
import type * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Assessment from "@vigil/health-report/Assessment"
import * as Nearby from "@vigil/health-report/Nearby"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as Limits from "@vigil/health-schema/Limits"
import * as Impacted from "@vigil/health-tools/Impacted"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../../command/Failure.js"
import type * as Connection from "../../connection/Connection.js"
import * as InvalidEntries from "../../connection/InvalidEntries.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as ImpactedLists from "../../lists/ImpactedLists.js"
import * as Lists from "../../lists/Lists.js"
import { notePrefix, Output } from "../../output/Output.js"

/** Reads the events that were updated in the last 90 days. `failed` has the subscriptions of which not all was read, and `notes` says what, for those whose statuses were. */
export const read = Effect.fnUntraced(function* (
  connection: Connection.Health,
  ids: ReadonlyArray<SubscriptionId.SubscriptionId>,
  now: number,
) {
  const { apiVersion, client } = connection
  const { note, status } = yield* Output
  const progress = yield* Lists.makeProgress()
  const query = { apiVersion, queryStartTime: Duration.days(Limits.activeDaysBack) }
  const lists = Lists.ofSubscriptions(connection, ids, (id) => () => client.pagesBySubscription(id, query))
  const readList = (list: Lists.List) =>
    Effect.map(
      Listing.collect(Stream.tap(list.pages(undefined), progress.page), Effect.result),
      ({ invalid, items, problem }) => ({ list, events: items, invalid, problem }),
    )
  const outcomes = yield* Effect.forEach(lists, readList, { concurrency: Subscriptions.concurrency })
  const impacted = yield* ImpactedLists.read(connection, outcomes, now)
  yield* status(undefined)
  const failed = new Set<string>([
    ...outcomes.flatMap(({ list, problem }) => (problem === undefined ? [] : [list.id])),
    ...impacted.events.flatMap(({ problem, subscription }) => (problem === undefined ? [] : [subscription])),
  ])
  const events = EventUnion.mergeByTrackingId(outcomes.flatMap(({ events }) => events))
  return {
    assess: Assessment.make(now, {
      events,
      subscriptions: outcomes.map(({ events, list }) => ({ id: list.id, events })),
      impacted: Impacted.byEvent(impacted),
      metadata: impacted.metadata,
      isComplete: outcomes.every(({ invalid, problem }) => problem === undefined && invalid.length === 0),
    }),
    /** The IDs of the events of now that name none of these resources, and are active in their services and regions. */
    nearby: (all: ReadonlyArray<Assessment.Assessment>): ReadonlyArray<string> => {
      const named = new Set(all.flatMap(({ events }) => events))
      const count = Nearby.make(
        all.map(({ status }) => status),
        now,
        impacted.metadata,
      )
      return events
        .filter((event) => Assessment.isUnderWay(event, now) && !named.has(event) && count(event) > 0)
        .map(({ name }) => name || "one without an ID")
    },
    failed,
    notes: Effect.fnUntraced(function* (read: ReadonlySet<string>) {
      for (const { invalid, list, problem } of outcomes.filter(({ list }) => read.has(list.id))) {
        const prefix = notePrefix(list.subject === undefined ? "events" : `${list.subject}, events`)
        yield* InvalidEntries.note({ invalid }, { prefix })
        if (problem !== undefined) yield* note(prefix + Failure.plain(problem))
      }
      for (const { problem, source } of Impacted.failures(impacted)) yield* note(`${notePrefix(source)}${problem}`)
    }),
  }
})
