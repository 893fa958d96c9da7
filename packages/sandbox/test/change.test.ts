import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, news, now, start } from "./service.js"

const day = 24 * 60 * 60 * 1000

describe("a world that changes", () => {
  it.scopedLive("lists an event after it is added, and not after it is removed", () =>
    Effect.gen(function* () {
      const { change, current, events, list, world } = yield* start()
      const event = news(world)
      const before = yield* events(list())
      yield* change(World.put(event))
      expect(names(yield* events(list()))).toEqual(["NEW1-NEW", ...names(before)])
      expect((yield* current).events).toHaveLength(world.events.length + 1)
      yield* change(World.remove(event.event.id ?? ""))
      expect(yield* events(list())).toEqual(before)
      expect(yield* current).toEqual(world)
    }),
  )

  it.scopedLive("computes the default of three days from its time", () =>
    Effect.gen(function* () {
      const { change, events, first, list, world } = yield* start()
      yield* change(World.setNow(now - 10 * day))
      const expected = world.events.filter(
        ({ lastUpdate, subscriptions }) => subscriptions.includes(first) && lastUpdate >= now - 13 * day,
      )
      expect(names(yield* events(list()))).toEqual(expected.map(({ event }) => event.name))
    }),
  )

  it.scopedLive("serves added subscriptions and resources, and another vendor", () =>
    Effect.gen(function* () {
      const { change, events, list, json, url, world } = yield* start()
      const added = { id: "added", name: "Added" }
      const uri = "/subscriptions/added/resourceGroups/g/providers/Acme.Web/sites/s"
      const resource = { uri, subscription: "added", service: "Functions", region: "UK South" }
      expect((yield* json(list("", "added"))).status).toBe(404)
      yield* change((old) => ({
        ...World.put({ ...news(old), subscriptions: ["added"], resources: [uri] })(old),
        vendor: "Acme",
        subscriptions: [...old.subscriptions, added],
        resources: [...old.resources, resource],
      }))
      const query = "?api-version=2025-05-01"
      expect(names(yield* events(url("/subscriptions/added", query, "Acme")))).toEqual(["NEW1-NEW"])
      expect(names(yield* events(url(uri, query, "Acme")))).toEqual(["NEW1-NEW"])
      expect(world.subscriptions).toHaveLength(2)
      expect((yield* json(list())).status).toBe(404)
    }),
  )

  it.scopedLive("continues a changed list at the same offset, and ends a shortened one", () =>
    Effect.gen(function* () {
      const { change, events, list, page, world } = yield* start({ pageSize: 5 })
      const before = names(yield* events(list()))
      const first = yield* page(list())
      yield* change(World.put(news(world)))
      expect(names((yield* page(first.nextLink ?? "")).value)).toEqual(before.slice(4, 9))
      yield* change((old) => ({ ...old, events: [] }))
      expect(yield* page(first.nextLink ?? "")).toEqual({ value: [] })
    }),
  )

  it.scopedLive("loses no concurrent change", () =>
    Effect.gen(function* () {
      const { change, current, world } = yield* start()
      const all = Array.from({ length: 50 }, (_, index) => news(world, `NEW-${index}`))
      yield* Effect.forEach(all, (event) => change(World.put(event)), { concurrency: "unbounded" })
      expect((yield* current).events).toHaveLength(world.events.length + 50)
    }),
  )
})

describe("the size of a page", () => {
  const sizes: ReadonlyArray<readonly [number, number]> = [
    [7, 7],
    [2.5, 2],
    [0, 1],
    [Number.NaN, 1],
  ]

  it.scopedLive.each(sizes)("of %d gives pages of %d", ([pageSize, expected]) =>
    Effect.gen(function* () {
      const { list, page } = yield* start({ pageSize })
      const { nextLink, value } = yield* page(list())
      expect(value).toHaveLength(expected)
      expect((yield* page(nextLink ?? "")).value).toHaveLength(expected)
    }),
  )

  it.scopedLive("may be larger than the list", () =>
    Effect.gen(function* () {
      const { list, page } = yield* start({ pageSize: Number.POSITIVE_INFINITY })
      expect(yield* page(list())).not.toHaveProperty("nextLink")
    }),
  )
})
