import { describe, expect, it } from "@effect/vitest"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { collect, pagesOf, start, versions } from "./contenders.js"

/** Fields that the official client drops, because it was made for an older version. */
const unknownToTheirs = {
  "2025-05-01": ["billingId", "currencyType", "eventSubType", "eventTags", "isEventSensitive", "newRate", "oldRate"],
  "2025-04-01": ["eventTags", "isEventSensitive"],
}

describe.each(versions)("version %s", (apiVersion) => {
  it.live("keeps the fields of event properties that the official client drops", () =>
    Effect.gen(function* () {
      const { official, ours, world } = yield* start(1)
      const [{ id }] = world.subscriptions
      const theirs = yield* collect(pagesOf(official(id, apiVersion).listBySubscriptionId()))
      const events = yield* collect(ours.listBySubscription(SubscriptionId.make(id), { apiVersion }))
      const sent = new Map(world.events.map(({ event }) => [event.id, new Map(Object.entries(event.properties ?? {}))]))
      const dropped = Arr.zip(theirs.flat(), events).flatMap(([their, { id, properties }]) =>
        Object.entries(properties ?? {})
          .filter(([name]) => !Object.hasOwn(their, name))
          .map(([name, value]) => ({ name, value, sent: sent.get(id)?.get(name) })),
      )
      expect([...new Set(dropped.map(({ name }) => name))].toSorted()).toEqual(unknownToTheirs[apiVersion])
      expect(dropped.map(({ value }) => value)).toEqual(dropped.map(({ sent }) => sent))
    }),
  )
})
