/** Details of one event, and of a stream. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  Credential,
  HealthClient,
  type Listing,
  RetryPolicy,
  SubscriptionId,
  type TestData,
  TrackingId,
  WithDetails,
} from "@vigil/health-client"
import { type HealthEvent, Sensitive } from "@vigil/health-schema"
import { Faults, Reply } from "@vigil/sandbox"
import type { RequestError } from "@vigil/core-http"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"

const s1 = SubscriptionId.make("s 1")
const tracking = (text: string) => TrackingId.make(text)

const serve = (script: Reply.Script, options: Partial<HealthClient.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const client = yield* HealthClient.make({
      baseUrl: server.origin,
      credential: Credential.bearer(Redacted.make("token")),
      retry: RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis" }),
      ...options,
    })
    return { server, client }
  }).pipe(Effect.provide(FetchHttpClient.layer))

const details = (name: string) => ({
  name,
  properties: { isEventSensitive: true, description: `D of ${name}`, summary: "S" },
})

describe("fetchEventDetails", () => {
  it.live("sends a POST without a body to the default path", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.json(details("AB C'1"))], { vendor: "Microsoft" })
      const event = yield* client.fetchEventDetails(s1, tracking("AB C'1"), { apiVersion: "2025-04-01" })
      expect(event).toEqual(details("AB C'1"))
      expect(yield* server.requests).toMatchObject([
        {
          method: "POST",
          target:
            "/subscriptions/s%201/providers/Microsoft.ResourceHealth/events/AB%20C'1/fetchEventDetails?api-version=2025-04-01",
          body: "",
          headers: { authorization: "Bearer token", "content-length": "0" },
        },
      ])
    }),
  )

  it.live("is retried like a list, because it changes nothing", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.empty(503), Reply.json(details("A-1"))])
      yield* client.fetchEventDetails(s1, tracking("A-1"))
      expect(yield* server.requests).toHaveLength(2)
    }),
  )

  it.live.each([
    ["a missing permission", Reply.json({ error: { code: "AuthorizationFailed" } }, { status: 403 }), "Forbidden"],
    ["an unknown event", Reply.empty(404), "NotFound"],
    ["a page", Reply.page([details("A-1")]), "DecodeError"],
    ["an empty response", Reply.empty(204), "ServiceError"],
    ["an event without properties", Reply.json({ name: "A-1" }), "DecodeError"],
    ["an invalid event", Reply.json({ name: 7, properties: {} }), "DecodeError"],
    ["another event", Reply.json(details("B-2")), "DecodeError"],
  ] as const)("fails for %s", ([, reply, tag]) =>
    Effect.gen(function* () {
      const { client } = yield* serve([reply])
      const error = yield* Effect.flip(client.fetchEventDetails(s1, tracking("A-1")))
      expect(error).toMatchObject({ _tag: tag, operation: "HealthClient.fetchEventDetails" })
    }),
  )

  it.live("accepts a response with the name in another case, or without a name", () =>
    Effect.gen(function* () {
      const { client } = yield* serve([Reply.json(details("a-1")), Reply.json({ name: "", properties: {} })])
      expect(yield* client.fetchEventDetails(s1, tracking("A-1"))).toMatchObject({ name: "a-1" })
      expect(yield* client.fetchEventDetails(s1, tracking("A-1"))).toEqual({ name: "", properties: {} })
    }),
  )
})

const withheld = (name: string): HealthEvent.HealthEvent => ({
  name,
  properties: { isEventSensitive: true, title: name },
})

/** `withDetails` with a client. */
const withDetails =
  (client: HealthClient.Service, options: WithDetails.Options = {}) =>
  (events: Stream.Stream<HealthEvent.HealthEvent>) =>
    Stream.provideService(events.pipe(WithDetails.withDetails(s1, options)), HealthClient.HealthClient, client)

const open: HealthEvent.HealthEvent = { name: "OPEN", properties: { isEventSensitive: false, title: "open" } }

describe("withDetails", () => {
  const test = HealthClient.layerTest({
    subscriptions: { s1: [withheld("A"), open, withheld("B"), withheld("C")] },
    details: { A: details("A"), B: details("B"), C: details("C") },
  })

  it.effect("adds the withheld texts, in the order of the list", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const id = SubscriptionId.make("s1")
      const events = yield* collect(client.listBySubscription(id).pipe(WithDetails.withDetails(id)))
      expect(events.map(({ properties }) => [properties?.title, properties?.description])).toEqual([
        ["A", "D of A"],
        ["open", undefined],
        ["B", "D of B"],
        ["C", "D of C"],
      ])
      expect(events[1]).toEqual(open)
    }).pipe(Effect.provide(test)),
  )

  it.live("fetches details only for withheld texts, within the concurrency limit", () =>
    Effect.gen(function* () {
      let [inFlight, maxInFlight] = [0, 0]
      const { client, server } = yield* serve(({ target }) =>
        Effect.gen(function* () {
          maxInFlight = Math.max(maxInFlight, ++inFlight)
          yield* Effect.yieldNow
          inFlight -= 1
          return Reply.json(details(target.replace(/^.*events\/|\/fetch.*$/g, "")))
        }),
      )
      const events = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? open : withheld(`E${n}`)))
      const all = yield* collect(Stream.fromIterable(events).pipe(withDetails(client, { concurrency: 2 })))
      expect(all.map(({ name }) => name)).toEqual(events.map(({ name }) => name))
      expect(all.filter(Sensitive.isSensitive).every(({ properties }) => properties?.summary === "S")).toBe(true)
      expect(yield* server.requests).toHaveLength(8)
      expect(maxInFlight).toBeLessThanOrEqual(2)
    }),
  )

  it.live("fails with the error of the details, after the events before it", () =>
    Effect.gen(function* () {
      const { client } = yield* serve([Reply.json({ error: { code: "AuthorizationFailed" } }, { status: 403 })])
      const out: Array<unknown> = []
      const error = yield* Stream.make(open, withheld("A"), open).pipe(
        withDetails(client),
        Stream.runForEach((event) => Effect.sync(() => out.push(event))),
        Effect.flip,
      )
      expect(error).toMatchObject({ _tag: "Forbidden", operation: "HealthClient.fetchEventDetails" })
      expect(out).toEqual([open])
    }),
  )

  it.live("emits the event as listed if onFailure is set", () =>
    Effect.gen(function* () {
      const { client } = yield* serve(({ target }) =>
        target.includes("/A/") ? Reply.empty(403) : Reply.json(details("B")),
      )
      const failed: Array<readonly [string, unknown]> = []
      const onFailure = (error: RequestError.RequestError, { name }: HealthEvent.HealthEvent) =>
        Effect.sync(() => failed.push([error._tag, name]))
      const all = yield* collect(Stream.make(withheld("A"), withheld("B")).pipe(withDetails(client, { onFailure })))
      expect(all).toMatchObject([withheld("A"), { name: "B", properties: { summary: "S" } }])
      expect(failed).toEqual([["Forbidden", "A"]])
    }),
  )

  it.live("emits events without a valid name unchanged", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve([Reply.empty(404)])
      const odd = [withheld(""), withheld("../x"), { properties: { isEventSensitive: true } }]
      expect(yield* collect(Stream.fromIterable(odd).pipe(withDetails(client)))).toEqual(odd)
      expect(yield* server.requests).toEqual([])
    }),
  )

  it("accepts events of its own version only", () => {
    const use = ({ listBySubscription }: HealthClient.Service) => {
      const old = listBySubscription(s1, { apiVersion: "2025-04-01" })
      expectTypeOf(old.pipe(WithDetails.withDetails(s1, { apiVersion: "2025-04-01" }))).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent<"2025-04-01">, Listing.ListError, HealthClient.HealthClient>
      >()
      // @ts-expect-error -- events of another version
      old.pipe(WithDetails.withDetails(s1))
    }
    expect(use).toBeTypeOf("function")
  })
})

describe("find", () => {
  const id = SubscriptionId.make("s1")
  const data = {
    subscriptions: { s1: [{ name: "A", id: "1" }, { name: "B", id: "1" }, { name: 7 }, { name: "A", id: "2" }] },
  }
  const find = (trackingId: string, more: TestData.TestData = {}) =>
    Effect.flatMap(HealthClient.HealthClient, ({ find }) => find(id, tracking(trackingId))).pipe(
      Effect.provide(HealthClient.layerTest({ ...data, ...more })),
    )

  it.effect("returns the first event with the name, in any case, or None", () =>
    Effect.gen(function* () {
      expect(yield* find("A")).toEqual(Option.some({ name: "A", id: "1" }))
      expect(yield* find("b")).toEqual(Option.some({ name: "B", id: "1" }))
      expect(yield* find("C")).toEqual(Option.none())
    }),
  )

  it.effect("fails only if the entry with the name is invalid", () =>
    Effect.gen(function* () {
      const broken = { subscriptions: { s1: [{ name: "X", properties: 7 }, { name: "A" }] } }
      expect(yield* find("A", broken)).toMatchObject({ _tag: "Some" })
      expect(yield* Effect.flip(find("x", broken))).toMatchObject({
        _tag: "InvalidEvent",
        operation: "HealthClient.find",
        index: 0,
      })
      expect(yield* Effect.flip(find("A", { subscriptions: {} }))).toMatchObject({ _tag: "NotFound" })
    }),
  )

  it.live("reads no page after the event, and sends the filter and the start time", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve((_, n) => Reply.page([{ name: `E${n}` }], `?$skipToken=${n + 1}`))
      const found = yield* client.find(id, tracking("E2"), {
        queryStartTime: DateTime.makeUnsafe("2024-01-02"),
        filter: "x",
      })
      expect(found).toEqual(Option.some({ name: "E2" }))
      const targets = (yield* server.requests).map(({ target }) => target)
      expect(targets).toHaveLength(3)
      expect(targets[0]).toContain("&$filter=x&queryStartTime=1%2F2%2F2024")
    }),
  )
})
