/** One event: `get`, `Find.find`, its details, and the details of a stream. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Find, HealthClient, Retry, SubscriptionId, TrackingId, WithDetails } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { record } from "@vigil/testing/Recorder"
import { collect, withClient } from "./collect.js"

const s1 = SubscriptionId.make("s1")
const e1 = TrackingId.make("E1-234")
const event = { name: "E1-234", properties: { status: "Active" } }
const path = "/subscriptions/s1/providers/Vendor.ResourceHealth/events"

const serve = (script: Reply.Script) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const options = { baseUrl: server.origin, credential: Credential.none, retry: Retry.exponential(0, 1) }
    return { client: yield* HealthClient.make(options), server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

describe("get", () => {
  it.live("fetches one event, with the parameters of the list", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.json(event)])
      const options = { apiVersion: "2025-04-01", filter: "x", queryStartTime: new Date("2026-03-10") } as const
      expect(yield* client.get(s1, e1, options)).toEqual(event)
      expect((yield* server.requests).map(({ method, target }) => `${method} ${target}`)).toEqual([
        `GET ${path}/E1-234?api-version=2025-04-01&$filter=x&queryStartTime=3%2F10%2F2026`,
      ])
    }),
  )
})

describe("the span of an operation", () => {
  it.live("says what was read, in which version, and how many items", () =>
    Effect.gen(function* () {
      const { client } = yield* serve([Reply.json({ value: [event, event] }), Reply.json(event)])
      const { spans } = yield* record(Effect.andThen(collect(client.listBySubscription(s1)), client.get(s1, e1)))
      const attributes = { "health.scope": "subscription", "health.id": "s1", "health.api_version": "2025-05-01" }
      expect(spans.filter(({ name }) => name.startsWith("HealthClient."))).toMatchObject([
        { name: "HealthClient.listBySubscription", attributes: { ...attributes, "health.items": 2 } },
        { name: "HealthClient.get", attributes },
      ])
    }),
  )
})

describe("fetchEventDetails", () => {
  it.live("sends a POST without a body, which is retried", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.empty(503), Reply.json(event)])
      expect(yield* client.fetchEventDetails(s1, TrackingId.make("e1-234"))).toEqual(event)
      const request = { method: "POST", target: `${path}/e1-234/fetchEventDetails?api-version=2025-05-01`, body: "" }
      expect(yield* server.requests).toMatchObject([request, request])
    }),
  )

  it.live.each([
    ["a missing permission", Reply.json({ error: { code: "AuthorizationFailed" } }, { status: 403 }), "Forbidden"],
    ["a page", Reply.page([event]), "Decode"],
    ["an empty response", Reply.empty(204), "ServiceFailure"],
    ["an event without properties", Reply.json({ name: "E1-234" }), "Decode"],
    ["another event", Reply.json({ ...event, name: "E2" }), "Decode"],
  ] as const)("fails for %s", ([, reply, tag]) =>
    Effect.gen(function* () {
      const { client } = yield* serve([reply])
      const error = yield* Effect.flip(client.fetchEventDetails(s1, e1))
      expect(error).toMatchObject({ operation: "HealthClient.fetchEventDetails", reason: { _tag: tag } })
    }),
  )
})

describe("Find.find", () => {
  const listed = { ...event, type: "listed" }

  /** A service that replies to `get` with `reply`, and to lists with pages of one entry. */
  const finding = (reply: Reply.Reply, ...entries: ReadonlyArray<unknown>) =>
    Effect.map(
      serve(({ target }) => {
        if (target.startsWith(`${path}/`)) return reply
        const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
        return Reply.page([entries[page]], page + 1 < entries.length ? `?page=${page + 1}` : null)
      }),
      ({ client, server }) => ({
        find: (trackingId: TrackingId.TrackingId, options?: Find.Options) =>
          Effect.provideService(Find.find(s1, trackingId, options), HealthClient.HealthClient, client),
        count: Effect.map(server.requests, ({ length }) => length),
      }),
    )

  it.live("sends one request if the service returns single events", () =>
    Effect.gen(function* () {
      const { count, find } = yield* finding(Reply.json(event))
      expect(yield* find(TrackingId.make("e1-234"))).toEqual(Option.some(event))
      expect(yield* count).toBe(1)
    }),
  )

  it.live.each([
    ...[400, 404, 405, 501].map((status) => Reply.json({ code: "None" }, { status })),
    Reply.text("<html></html>"),
  ])("otherwise reads the list up to the event: %#", (reply) =>
    Effect.gen(function* () {
      const { count, find } = yield* finding(reply, { name: "other" }, listed, { name: "last" })
      expect(yield* find(TrackingId.make("e1-234"))).toEqual(Option.some(listed))
      expect(yield* count).toBe(3)
      expect(yield* find(TrackingId.make("nowhere"))).toEqual(Option.none())
      expect(yield* Effect.flip(find(TrackingId.make("nowhere"), { maxPages: 2 }))).toMatchObject({ _tag: "PageLimit" })
    }),
  )

  it.live("reads the list if the event is older than the start time", () =>
    Effect.gen(function* () {
      const old = { ...event, properties: { lastUpdateTime: "2026-01-01T00:00:00Z" } }
      const { find } = yield* finding(Reply.json(old), listed)
      expect(yield* find(e1, { queryStartTime: new Date("2026-02-01") })).toEqual(Option.some(listed))
      expect(yield* find(e1, { queryStartTime: new Date("2025-12-31") })).toEqual(Option.some(old))
    }),
  )

  it.live("fails only if the entry with this ID is invalid", () =>
    Effect.gen(function* () {
      const { find } = yield* finding(Reply.empty(404), 7, { ...event, properties: 7 }, { name: "E2" })
      expect(yield* Effect.flip(find(e1))).toMatchObject({ _tag: "InvalidEvent", operation: "Find.find", index: 0 })
      expect(yield* find(TrackingId.make("E2"))).toEqual(Option.some({ name: "E2" }))
    }),
  )

  it.live.each([401, 403, 429, 500])("fails if the service responds with %i", (status) =>
    Effect.gen(function* () {
      const { find } = yield* finding(Reply.json({ code: "None" }, { status }), listed)
      expect(yield* Effect.flip(find(e1))).toMatchObject({ _tag: "RequestError", reason: { status } })
    }),
  )
})

describe("WithDetails.withDetails", () => {
  const withheld = (name: string): HealthEvent.HealthEvent => ({
    name,
    properties: { isEventSensitive: true, title: name },
  })
  const open: HealthEvent.HealthEvent = { name: "OPEN", properties: { isEventSensitive: false } }
  const details = (name: string) => ({ name, properties: { isEventSensitive: true, summary: `S of ${name}` } })
  const nameIn = (target: string) => target.replace(/^.*events\/|\/fetch.*$/g, "")

  it.live("fetches only withheld texts, within the concurrency limit and in order", () =>
    Effect.gen(function* () {
      let [inFlight, maxInFlight] = [0, 0]
      const { client, server } = yield* serve(({ target }) =>
        Effect.gen(function* () {
          maxInFlight = Math.max(maxInFlight, ++inFlight)
          yield* Effect.yieldNow
          inFlight -= 1
          return Reply.json(details(nameIn(target)))
        }),
      )
      const events = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? open : withheld(`E${n}`)))
      const odd = [withheld(""), withheld("../x"), { properties: { isEventSensitive: true } }]
      const all = Stream.fromIterable([...events, ...odd]).pipe(WithDetails.withDetails(s1, { concurrency: 2 }))
      const summaries = events.map(({ name }) => (name === "OPEN" ? undefined : `S of ${name}`))
      expect((yield* collect(withClient(client)(all))).map(({ properties }) => properties?.summary)).toEqual([
        ...summaries,
        ...odd.map(() => undefined),
      ])
      expect(yield* server.requests).toHaveLength(8)
      expect(maxInFlight).toBeLessThanOrEqual(2)
    }),
  )

  it.live("fails after the events before the failure, or emits the event as listed if onFailure is set", () =>
    Effect.gen(function* () {
      const { client } = yield* serve(({ target }) =>
        nameIn(target) === "A" ? Reply.empty(403) : Reply.json(details("B")),
      )
      const events = Stream.make(open, withheld("A"), withheld("B"))
      const failed: Array<unknown> = []
      const onFailure: WithDetails.Options["onFailure"] = (error, { name }) =>
        Effect.sync(() => failed.push([error.reason._tag, name]))
      const all = events.pipe(WithDetails.withDetails(s1, { onFailure }), withClient(client))
      expect(yield* collect(all)).toMatchObject([open, withheld("A"), { properties: { summary: "S of B" } }])
      expect(failed).toEqual([["Forbidden", "A"]])

      const read: Array<unknown> = []
      const failing = events.pipe(WithDetails.withDetails(s1), withClient(client))
      const error = yield* Effect.flip(Stream.runForEach(failing, (each) => Effect.sync(() => read.push(each))))
      expect(error).toMatchObject({ operation: "HealthClient.fetchEventDetails", reason: { _tag: "Forbidden" } })
      expect(read).toEqual([open])
    }),
  )
})
