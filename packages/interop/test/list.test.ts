import { afterAll, beforeAll, describe, expect, it, vi } from "@effect/vitest"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import { collect, pagesOf, start, versions } from "./contenders.js"
import { ofOurs, ofTheirs } from "./row.js"

// The official client reads times without a zone as local, ours as UTC (times.test.ts): here, local is UTC.
beforeAll(() => {
  vi.stubEnv("TZ", "UTC")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe.each(versions)("version %s", (apiVersion) => {
  it.live.each([1, 2])("returns the same pages of each subscription from both clients, in world %i", (seed) =>
    Effect.gen(function* () {
      const { official, ours, world } = yield* start(seed)
      for (const { id } of world.subscriptions) {
        const theirPages = yield* collect(pagesOf(official(id, apiVersion).listBySubscriptionId()))
        const ourPages = yield* collect(ours.pagesBySubscription(SubscriptionId.make(id), { apiVersion }))
        expect(ourPages.map(({ items }) => items.map(ofOurs))).toEqual(theirPages.map((page) => page.map(ofTheirs)))
        expect(ourPages.flatMap(({ invalid }) => invalid)).toEqual([])
        expect(ourPages.length).toBeGreaterThan(1)
      }
    }),
  )

  it.live("returns the same events of each resource from both clients", () =>
    Effect.gen(function* () {
      const { official, ours, world } = yield* start(1)
      const counts = yield* Effect.forEach(world.resources, ({ subscription, uri }) =>
        Effect.gen(function* () {
          // The official client adds a leading slash to the ID.
          const list = official(subscription, apiVersion).listBySingleResource(uri.slice(1))
          const theirs = (yield* collect(pagesOf(list))).flat()
          const events = yield* collect(ours.listByResource(ResourceUri.make(uri), { apiVersion }))
          expect(events.map(ofOurs)).toEqual(theirs.map(ofTheirs))
          return events.length
        }),
      )
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1)
    }),
  )
})
