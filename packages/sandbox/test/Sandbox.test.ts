import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, start } from "./service.js"

describe("listing a subscription", () => {
  it.live("returns the events of three days in linked pages of 50", () =>
    Effect.gen(function* () {
      const { events, first, list, page, world } = yield* start()
      const recent = world.events.filter(
        ({ lastUpdate, subscriptions }) => subscriptions.includes(first) && lastUpdate >= world.now - 259_200_000,
      )
      expect(names(yield* events(list()))).toEqual(recent.map(({ event }) => event.name))
      const { nextLink = "", value } = yield* page(list())
      expect(value).toHaveLength(50)
      expect(nextLink).toContain(`${list()}&$skipToken=`)
      expect((yield* page(nextLink)).nextLink?.match(/skipToken/g)).toHaveLength(1)
    }),
  )

  it.live("continues at a token anywhere in the query, with any encoding", () =>
    Effect.gen(function* () {
      const { events, list, page } = yield* start()
      const { nextLink = "" } = yield* page(list())
      const [, token] = /skipToken=(.*)$/.exec(nextLink) ?? []
      const expected = names(yield* events(nextLink))
      const path = list().replace(/\?.*/, "")
      for (const query of [
        `?$skipToken=${token}&api-version=2025-05-01`,
        `?api-version=2025-05-01&%24skipToken=${token}`,
      ])
        expect(names(yield* events(path + query))).toEqual(expected)
    }),
  )

  it.live("returns the fields of the requested version", () =>
    Effect.gen(function* () {
      const { events, list } = yield* start()
      const url = list("&queryStartTime=1/1/2025")
      const newer = JSON.stringify(yield* events(url))
      const older = JSON.stringify(yield* events(url.replace("2025-05-01", "2025-04-01")))
      expect(newer).toContain(`"billingId"`)
      expect(newer).not.toContain(`"systemData"`)
      for (const field of ["billingId", "eventSubType", "newRate", "location", `"Billing"`])
        expect(older).not.toContain(field)
      expect(older).toContain(`"systemData"`)
      const newest = JSON.stringify(yield* events(url.replace("2025-05-01", "2026-07-01")))
      for (const field of ["billingId", "eventSubType", "systemData", "advisorRecommendations"])
        expect(newest).toContain(`"${field}"`)
      expect(newest).not.toContain(`"location"`)
    }),
  )
})

describe("errors", () => {
  it.live("are nested from the gateway, and flat from the service", () =>
    Effect.gen(function* () {
      const { baseUrl, get, json, list, url } = yield* start()
      const version = "?api-version=2025-05-01"
      for (const headers of [{}, { authorization: "Bearer x" }]) {
        const response = yield* get(list(), { headers })
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
        expect(response.body).toContain(`{"error":{"code":"AuthenticationFailed"`)
      }
      for (const [address, status, code] of [
        [list("", "nope"), 404, "SubscriptionNotFound"],
        [url("/subscriptions/a/resourceGroups/b", version), 404, "ResourceNotFound"],
        [list().replace("2025-05-01", "2020-01-01"), 400, "InvalidApiVersionParameter"],
        [list().replace(/\?.*/, ""), 400, "MissingApiVersionParameter"],
        [`${baseUrl}/nowhere`, 404, "InvalidResourceType"],
      ] as const)
        expect(yield* json(address)).toMatchObject({ status, body: { error: { code } } })
      for (const [query, code] of [
        ["&$skipToken=forged", "InvalidODataQueryOptions"],
        ["&queryStartTime=soon", "InvalidQueryStartTime"],
      ] as const)
        expect(yield* json(list(query))).toMatchObject({ status: 400, body: { code } })
    }),
  )
})

describe("the server", () => {
  it.live("fails if its port is in use", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Sandbox.make()
      const port = Number(new URL(baseUrl).port)
      expect(yield* Effect.flip(Sandbox.make({ port }))).toMatchObject({ _tag: "ServeError" })
    }),
  )
})
