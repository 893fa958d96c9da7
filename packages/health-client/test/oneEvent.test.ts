/** `get`, and `find` with services that support or do not support `get`. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { describe, expect, it } from "@effect/vitest"
import { Credential, HealthClient, RetryPolicy, SubscriptionId, TrackingId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { collect } from "./collect.js"

const s1 = SubscriptionId.make("s1")
const e1 = TrackingId.make("E1-234")

const event = { name: "E1-234", properties: { status: "Active" } }
const path = "/subscriptions/s1/providers/Vendor.ResourceHealth/events"

/** A service that replies to `get` with `reply`, and to lists with one event. */
const serve = (reply: Reply.Reply) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(({ target }) =>
      target.startsWith(`${path}/`) ? reply : Reply.page([{ name: "other" }, { ...event, type: "listed" }]),
    )
    const options = { baseUrl: server.origin, credential: Credential.none, retry: RetryPolicy.none }
    return { client: yield* HealthClient.make(options), server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

describe("get", () => {
  it.live("fetches one event, with the parameters of the list", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(Reply.json(event))
      expect(yield* client.get(s1, e1)).toEqual(event)
      const options = {
        apiVersion: "2025-04-01",
        filter: "x",
        queryStartTime: DateTime.makeUnsafe("2026-03-10"),
      } as const
      yield* client.get(s1, e1, options)
      expect((yield* server.requests).map(({ method, target }) => `${method} ${target}`)).toEqual([
        `GET ${path}/E1-234?api-version=2025-05-01`,
        `GET ${path}/E1-234?api-version=2025-04-01&$filter=x&queryStartTime=3%2F10%2F2026`,
      ])
    }),
  )

  it.live("fails with NotFound, or DecodeError for another event or a page", () =>
    Effect.gen(function* () {
      const missing = yield* serve(Reply.json({ code: "EventNotFound", message: "No." }, { status: 404 }))
      expect(yield* Effect.flip(missing.client.get(s1, e1))).toMatchObject({
        _tag: "NotFound",
        operation: "HealthClient.get",
        code: "EventNotFound",
      })
      const other = yield* serve(Reply.json({ ...event, name: "E2" }))
      expect(yield* Effect.flip(other.client.get(s1, e1))).toMatchObject({ _tag: "DecodeError", path: "name" })
      const page = yield* serve(Reply.page([event]))
      expect(yield* Effect.flip(page.client.get(s1, e1))).toMatchObject({ _tag: "DecodeError", path: "properties" })
    }),
  )
})

describe("find", () => {
  it.live("sends one request if the service returns single events", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(Reply.json(event))
      expect(yield* client.find(s1, TrackingId.make("e1-234"))).toEqual(Option.some(event))
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.live.each([400, 404, 405, 501])("reads the list if the service responds with %i", (status) =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(Reply.json({ code: "None" }, { status }))
      expect(yield* client.find(s1, e1)).toEqual(Option.some({ ...event, type: "listed" }))
      expect(yield* client.find(s1, TrackingId.make("nowhere"))).toEqual(Option.none())
      expect((yield* server.requests).map(({ target }) => target.split("?")[0])).toEqual([
        `${path}/E1-234`,
        path,
        `${path}/nowhere`,
        path,
      ])
    }),
  )

  it.live("reads the list if the event is older than the start time", () =>
    Effect.gen(function* () {
      const old = { ...event, properties: { ...event.properties, lastUpdateTime: "2026-01-01T00:00:00Z" } }
      const { client, server } = yield* serve(Reply.json(old))
      const found = yield* client.find(s1, e1, { queryStartTime: DateTime.makeUnsafe("2026-02-01") })
      expect(found).toEqual(Option.some({ ...event, type: "listed" }))
      expect(yield* client.find(s1, e1, { queryStartTime: DateTime.makeUnsafe("2025-12-31") })).toEqual(
        Option.some(old),
      )
      expect(yield* server.requests).toHaveLength(3)
    }),
  )

  it.live("reads the list if the response is not an event", () =>
    Effect.gen(function* () {
      const { client } = yield* serve(Reply.text("<html></html>"))
      expect(yield* client.find(s1, e1)).toMatchObject({ _tag: "Some" })
    }),
  )

  it.live.each([401, 403, 429, 500])("fails if the service responds with %i", (status) =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(Reply.json({ code: "None" }, { status }))
      expect(yield* Effect.flip(client.find(s1, e1))).toMatchObject({ status, operation: "HealthClient.find" })
      expect(yield* server.requests).toHaveLength(1)
    }),
  )
})

it.effect("layerTest returns single events and the list of the tenant", () =>
  Effect.gen(function* () {
    const client = yield* HealthClient.HealthClient
    expect(yield* client.get(s1, TrackingId.make("e1-234"))).toEqual(event)
    expect(yield* Effect.flip(client.get(s1, TrackingId.make("other")))).toMatchObject({ _tag: "NotFound" })
    expect(yield* collect(client.listByTenant())).toEqual([event, { name: "other" }])
  }).pipe(
    Effect.provide(HealthClient.layerTest({ subscriptions: { s1: [event] }, tenant: [event, { name: "other" }] })),
  ),
)
