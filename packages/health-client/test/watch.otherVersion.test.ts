/** The client with an unknown API version. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import { ApiVersion, HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { collect, withClient } from "./collect.js"

const apiVersion = ApiVersion.other("2026-01-01")
const id = SubscriptionId.make("s1")
const events = ["a", "b", "c"].map((name) => ({ id: name, name, properties: { status: "Active", title: name } }))

const service = HealthClient.layerTest({
  subscriptions: { s1: events },
  details: { a: { name: "a", properties: { title: "In full" } } },
  pageSize: 1,
})

describe("an unknown version", () => {
  it.effect("is watched, and resumes from the store", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const store = yield* KeyValueStore.KeyValueStore
      const watch = Watch.watch(id, { apiVersion, store, schedule: Schedule.recurs(0) }).pipe(withClient(client))
      expect((yield* collect(watch)).map(({ _tag, event }) => [_tag, event.name])).toEqual([
        ["Appeared", "a"],
        ["Appeared", "b"],
        ["Appeared", "c"],
      ])
      expect(yield* collect(watch)).toEqual([])
      const latest = Watch.watch(id, { store, schedule: Schedule.recurs(0) }).pipe(withClient(client))
      expect((yield* Effect.flip(collect(latest))).message).toContain("version")
    }).pipe(Effect.provide([service, KeyValueStore.layerMemory])),
  )
})
