import { afterAll, beforeAll, expect, it, vi } from "@effect/vitest"
import * as Filter from "@vigil/health-client/Filter"
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import { collect, pagesOf, start } from "./contenders.js"
import { ofOurs, ofTheirs } from "./row.js"

// As in list.test.ts.
beforeAll(() => {
  vi.stubEnv("TZ", "UTC")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const apiVersion = "2025-05-01"

/** The parameters of a request, decoded. */
const parameters = (target: string) => [...new URL(target, "http://localhost").searchParams].toSorted()

it.live.each(["1/20/2025", "01/20/2025", "2025-01-20T00:00:00Z"])(
  "returns the same pages since %s from both clients, more than by default",
  (queryStartTime) =>
    Effect.gen(function* () {
      const { official, ours, world } = yield* start(1)
      const [{ id }] = world.subscriptions
      const byDefault = yield* collect(ours.listBySubscription(SubscriptionId.make(id), { apiVersion }))
      const theirPages = yield* collect(pagesOf(official(id, apiVersion).listBySubscriptionId({ queryStartTime })))
      const ourPages = yield* collect(
        ours.pagesBySubscription(SubscriptionId.make(id), {
          apiVersion,
          queryStartTime: QueryStartTime.raw(queryStartTime),
        }),
      )
      expect(ourPages.map(({ items }) => items.map(ofOurs))).toEqual(theirPages.map((page) => page.map(ofTheirs)))
      expect(ourPages.flatMap(({ items }) => items).length).toBeGreaterThan(byDefault.length)
    }),
)

it.live("sends the parameters of the official client with each page, including filter and start", () =>
  Effect.gen(function* () {
    const { official, ours, requests, world } = yield* start(1)
    const [{ id }] = world.subscriptions
    const query = { filter: "service eq 'O''Brien & Sons+' or region eq '100% €'", queryStartTime: "1/20/2025" }
    yield* collect(pagesOf(official(id, apiVersion).listBySubscriptionId(query)))
    const theirs = yield* requests
    yield* collect(
      ours.pagesBySubscription(SubscriptionId.make(id), {
        apiVersion,
        filter: Filter.raw(query.filter),
        queryStartTime: QueryStartTime.raw(query.queryStartTime),
      }),
    )
    const both = yield* requests
    const sent = both.slice(theirs.length).map(({ target }) => parameters(target))
    expect(sent).toEqual(theirs.map(({ target }) => parameters(target)))
    expect(sent[0]).toContainEqual(["$filter", query.filter])
    expect(sent[0]).toContainEqual(["queryStartTime", query.queryStartTime])
  }),
)
