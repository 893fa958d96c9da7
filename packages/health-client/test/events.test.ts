/** One event: `get`, `Find.find`, its details, and the details of a stream; and spans. */
import { describe, expect, it } from "@effect/vitest"
import {
  ApiVersion,
  Filter,
  Find,
  HealthClient,
  Sweep,
  Tenant,
  TrackingId,
  Watch,
  WithDetails,
} from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import { Reply } from "@vigil/sandbox"
import { record } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { collect, pagesOf, s1, serve } from "./served.js"

const e1 = TrackingId.make("e1-234")
const event = { name: "E1-234", properties: { status: "Active" } }
const path = "/subscriptions/s1/providers/Vendor.ResourceHealth/events"

describe("one event", () => {
  it.live("is requested by GET with the parameters of the list, its details by a POST without a body", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.json(event), Reply.empty(503), Reply.json(event)])
      const queryStartTime = new Date("2026-03-10")
      const options = { apiVersion: "2025-04-01", filter: Filter.raw("x"), queryStartTime } as const
      expect(yield* client.get(s1, e1, options)).toEqual(event)
      expect(yield* client.fetchEventDetails(s1, e1)).toEqual(event)
      // The POST is retried, because it reads only.
      const details = `POST ${path}/e1-234/fetchEventDetails?api-version=${ApiVersion.defaultVersion} `
      expect((yield* server.requests).map(({ body, method, target }) => `${method} ${target} ${body}`)).toEqual([
        `GET ${path}/e1-234?api-version=2025-04-01&$filter=x&queryStartTime=3%2F10%2F2026 `,
        details,
        details,
      ])
    }),
  )

  it.live.each([
    ["a missing permission", Reply.json({ error: { code: "AuthorizationFailed" } }, { status: 403 }), "Forbidden"],
    ["a page", Reply.page([event]), "Decode"],
    ["an empty response", Reply.empty(204), "ServiceFailure"],
    ["an empty response with status 200", Reply.empty(200), "Decode", "the body is missing"],
    ["an event without properties", Reply.json({ name: "E1-234" }), "Decode"],
    [
      "an error beside the event",
      Reply.json({ ...event, error: { code: "Busy", message: "Wait." } }),
      "Decode",
      "Busy: Wait.",
    ],
    ["another event", Reply.json({ ...event, name: "E2" }), "Decode"],
  ] as const)("fails for %s", ([, reply, tag, problem = ""]) =>
    Effect.gen(function* () {
      const { client } = yield* serve([reply])
      const error = yield* Effect.flip(client.fetchEventDetails(s1, e1))
      expect(error).toMatchObject({ operation: "HealthClient.fetchEventDetails", reason: { _tag: tag } })
      expect(error.message).toContain(problem)
    }),
  )

  it.live("and a list have spans with what was read, in which version, and how many items", () =>
    Effect.gen(function* () {
      const { client } = yield* serve([Reply.json({ value: [event, event] }), Reply.json(event)])
      const { spans } = yield* record(Effect.andThen(collect(client.listBySubscription(s1)), client.get(s1, e1)))
      const attributes = {
        "health.scope": "subscription",
        "health.id": "s1",
        "health.api_version": ApiVersion.defaultVersion,
      }
      const list = "HealthClient.listBySubscription"
      expect(spans).toMatchObject([
        { name: "GET", parent: "HealthClient.page" },
        { name: "HealthClient.page", parent: list, attributes: { "health.items": 2 } },
        { name: list, parent: undefined, attributes },
        { name: "GET", parent: "HealthClient.get" },
        { name: "HealthClient.get", attributes },
      ])
    }),
  )
})

it.live("Find, Sweep and each poll of a watch have a span that contains those of their requests", () =>
  Effect.gen(function* () {
    const { client } = yield* serve([Reply.json({ value: [event] })])
    const provide = Effect.provideService(HealthClient.HealthClient, client)
    const watch = Watch.run(s1, () => Effect.void, { schedule: Schedule.recurs(0) }).pipe(
      Effect.provide(KeyValueStore.layerMemory),
    )
    const all = Effect.all([Find.find(s1, e1), Stream.runDrain(Sweep.sweep([s1])), watch])
    const { spans } = yield* record(provide(all))
    const parents = spans.filter(({ name }) => name.endsWith("BySubscription")).map(({ parent }) => parent)
    expect(parents).toEqual(["Find.find", "Sweep.sweep", "Watch.poll"])
  }),
)

describe("Find.find", () => {
  const listed = { ...event, type: "listed" }
  const failed = (status: number) => Reply.json({ code: "None" }, { status })

  /** A service that replies to `get` with `reply`, and to lists with pages of one entry. */
  const finding = (reply: Reply.Reply, ...entries: ReadonlyArray<unknown>) => {
    const list = pagesOf(...entries.map((entry) => [entry]))
    const script = (request: Reply.Request) => (request.target.startsWith(`${path}/`) ? reply : list(request))
    return Effect.map(serve(script), ({ client, server }) => ({
      find: (trackingId: TrackingId.TrackingId, options?: Find.Options) =>
        Effect.provideService(Find.find(s1, trackingId, options), HealthClient.HealthClient, client),
      count: Effect.map(server.requests, ({ length }) => length),
    }))
  }

  it.live("sends one request if the service returns single events", () =>
    Effect.gen(function* () {
      const { count, find } = yield* finding(Reply.json(event))
      expect(yield* find(e1)).toEqual(event)
      expect(yield* count).toBe(1)
    }),
  )

  it.live.each([...[400, 404, 405, 501].map(failed), Reply.text("<html></html>")])(
    "otherwise reads the list up to the event: %#",
    (reply) =>
      Effect.gen(function* () {
        const { count, find } = yield* finding(reply, { name: "other" }, listed, { name: "last" })
        expect(yield* find(e1)).toEqual(listed)
        expect(yield* count).toBe(3)
        const nowhere = TrackingId.make("nowhere")
        expect(yield* find(nowhere)).toBeUndefined()
        expect(yield* Effect.flip(find(nowhere, { maxPages: 2 }))).toMatchObject({ _tag: "PageLimit" })
      }),
  )

  it.live("finds an event of the tenant", () =>
    Effect.gen(function* () {
      const list = "/providers/Vendor.ResourceHealth/events?"
      const { client } = yield* serve(({ target }) => (target.startsWith(list) ? Reply.page([listed]) : failed(404)))
      const find = Effect.provideService(HealthClient.HealthClient, client)
      expect(yield* find(Find.find(Tenant.tenant, e1))).toEqual(listed)
    }),
  )

  it.live("reads the list if the event is older than the start time", () =>
    Effect.gen(function* () {
      const old = { ...event, properties: { lastUpdateTime: "2026-01-01T00:00:00Z" } }
      const { find } = yield* finding(Reply.json(old), listed)
      expect(yield* find(e1, { queryStartTime: new Date("2026-02-01") })).toEqual(listed)
      expect(yield* find(e1, { queryStartTime: new Date("2025-12-31") })).toEqual(old)
    }),
  )

  it.live("fails only if the entry with this ID is invalid", () =>
    Effect.gen(function* () {
      const { find } = yield* finding(Reply.empty(404), 7, { ...event, properties: 7 }, { name: "E2" })
      expect(yield* Effect.flip(find(e1))).toMatchObject({ _tag: "InvalidEvent", operation: "Find.find", index: 0 })
      expect(yield* find(TrackingId.make("E2"))).toEqual({ name: "E2" })
    }),
  )

  it.live.each([401, 403, 429, 500])("fails if the service responds with %i", (status) =>
    Effect.gen(function* () {
      const { find } = yield* finding(failed(status), listed)
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
  const detailed = (name: string) => ({ name, properties: { isEventSensitive: true, title: name, summary: "S" } })
  const nameIn = (target: string) => target.replace(/^.*events\/|\/fetch.*$/g, "")

  it.live("fetches only withheld texts, within the concurrency limit and in order", () =>
    Effect.gen(function* () {
      let [inFlight, maxInFlight] = [0, 0]
      const { client, server } = yield* serve(({ target }) => {
        maxInFlight = Math.max(maxInFlight, ++inFlight)
        const reply = Effect.sync(() => void inFlight--)
        return Effect.andThen(Effect.yieldNow, Effect.as(reply, Reply.json(detailed(nameIn(target)))))
      })
      const names = Array.from({ length: 8 }, (_, n) => `E${n}`)
      const others = [open, withheld(""), withheld("../x"), { properties: { isEventSensitive: true } }]
      const events = [...names.map(withheld), ...others, withheld("LAST")]
      const all = Stream.fromIterable(events).pipe(
        WithDetails.withDetails(s1, { concurrency: 2 }),
        Stream.provideService(HealthClient.HealthClient, client),
      )
      expect(yield* collect(all)).toEqual([...names.map(detailed), ...others, detailed("LAST")])
      expect(yield* server.requests).toHaveLength(names.length + 1)
      expect(maxInFlight).toBeLessThanOrEqual(2)
    }),
  )

  it.live("fails after the events before the failure, or emits the event as listed if onFailure is set", () =>
    Effect.gen(function* () {
      const { client } = yield* serve(({ target }) =>
        nameIn(target) === "A" ? Reply.empty(403) : Reply.json(detailed("B")),
      )
      const emitted: Array<unknown> = []
      const failed: Array<unknown> = []
      type Events<E, R> = Stream.Stream<HealthEvent.HealthEvent, E, R>
      const read = <E>(details: (events: Events<never, never>) => Events<E, HealthClient.HealthClient>) =>
        details(Stream.make(open, withheld("A"), withheld("B"))).pipe(
          Stream.runForEach((event) => Effect.sync(() => emitted.push(event))),
          Effect.provideService(HealthClient.HealthClient, client),
        )
      const error = yield* Effect.flip(read(WithDetails.withDetails(s1)))
      expect(error).toMatchObject({ operation: "HealthClient.fetchEventDetails", reason: { _tag: "Forbidden" } })
      expect(emitted.splice(0)).toEqual([open])
      const onFailure: WithDetails.Options["onFailure"] = ({ reason }, { name }) =>
        Effect.sync(() => failed.push([reason._tag, name]))
      yield* read(WithDetails.withDetails(s1, { onFailure }))
      expect(emitted).toEqual([open, withheld("A"), detailed("B")])
      expect(failed).toEqual([["Forbidden", "A"]])
    }),
  )
})
