import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { names, start } from "./service.js"

describe("the scheme Bearer", () => {
  it.live("is the only accepted scheme, in any letter case", () =>
    Effect.gen(function* () {
      const { accessToken, list } = yield* start()
      const token = Redacted.value(accessToken)
      const status = (authorization: string) =>
        Effect.map(ask(list(), { headers: { authorization } }), ({ status }) => status)
      for (const scheme of ["bearer", "BEARER", "bEaReR"]) expect(yield* status(`${scheme} ${token}`)).toBe(200)
      expect(yield* status(`Bearer  ${token}`)).toBe(200)
      for (const other of [`Basic ${token}`, token, `x Bearer ${token}`, `Bearer ${token.toUpperCase()}`, "Bearer "])
        expect(yield* status(other)).toBe(401)
    }),
  )
})

describe("a query parameter", () => {
  it.live("ignores the case of its name", () =>
    Effect.gen(function* () {
      const { events, list, url, first, world } = yield* start({ pageSize: 20 })
      const filter = "properties/eventType eq 'ServiceIssue'"
      const same = url(
        `/subscriptions/${first}`,
        `?API-VERSION=2025-05-01&$FILTER=${filter}&querystarttime=11/20/2025`,
        world.vendor,
      )
      expect(names(yield* events(same))).toEqual(
        names(yield* events(list(`&$filter=${filter}&queryStartTime=11/20/2025`))),
      )
    }),
  )
})

describe("a path", () => {
  it.live("finds the same in any letter case, whatever it names", () =>
    Effect.gen(function* () {
      const { baseUrl, json, world } = yield* start({ pageSize: 1_000 })
      const event = world.events.find(({ resources }) => resources.length > 0)
      const [uri = ""] = event?.resources ?? []
      const [, subscription = "", group = ""] = /^(\/subscriptions\/[^/]+)(\/[^/]+\/[^/]+)/.exec(uri) ?? []
      const provider = `/providers/${world.vendor}.ResourceHealth`
      for (const path of [
        `${subscription}${provider}/events`,
        `${subscription}${provider}/events/${event?.event.name}`,
        `${subscription}${provider}/events/${event?.event.name}/impactedResources`,
        `${subscription}${provider}/availabilityStatuses`,
        `${subscription}${group}${provider}/availabilityStatuses`,
        `${uri}${provider}/events`,
        `${uri}${provider}/availabilityStatuses/current`,
      ]) {
        const found = yield* json(`${baseUrl}${path}?api-version=2025-05-01`)
        expect(found.status, path).toBe(200)
        const other = path.replace(subscription, subscription.toUpperCase()).replace("resourceGroups", "resourcegroups")
        expect(yield* json(`${baseUrl}${other}?api-version=2025-05-01`)).toEqual(found)
      }
    }),
  )
})

describe("a $skipToken", () => {
  it.live("of another list gets a 400", () =>
    Effect.gen(function* () {
      const { json, list, page, second, url, world } = yield* start({ pageSize: 1 })
      const { nextLink = "" } = yield* page(list())
      const [, token = ""] = /(&\$skipToken=.*)$/.exec(nextLink) ?? []
      for (const other of [
        list(token, second),
        list(`&$filter=region eq 'x'${token}`),
        list(`&queryStartTime=1/1/2025${token}`),
        list(token).replace("2025-05-01", "2025-04-01"),
        url(world.resources[0]?.uri ?? "", `?api-version=2025-05-01${token}`),
      ])
        expect(yield* json(other)).toMatchObject({ status: 400, body: { code: "InvalidODataQueryOptions" } })
      expect((yield* json(list(`&note=1${token}`))).status).toBe(200)
    }),
  )
})
