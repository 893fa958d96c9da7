import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, news, start } from "./service.js"

describe("a world that changes", () => {
  it.live("serves added subscriptions and resources, and another vendor", () =>
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

  it.live("continues a changed list at the same offset, and ends a shortened one", () =>
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
})

describe("the size of a page", () => {
  it.live.each([
    [7, 7],
    [2.5, 2],
    [0, 1],
    [Number.NaN, 1],
  ] as const)("of %d gives pages of %d", ([pageSize, expected]) =>
    Effect.gen(function* () {
      const { list, page } = yield* start({ pageSize })
      expect((yield* page(list())).value).toHaveLength(expected)
    }),
  )
})
