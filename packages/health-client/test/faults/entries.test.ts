/** Entries of a page that are no event: told of, in their place, and at no other's cost. */
import { describe, expect, it } from "@effect/vitest"
import { type InvalidEvent, TrackingId, Watch, Sweep } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"
import { collect, withClient } from "../collect.js"

/** What is no event on each page, by its index, and what of it is wrong. */
const cases: ReadonlyArray<{
  readonly name: Faults.Name
  readonly invalid: ReadonlyArray<{ readonly index: number; readonly path: string; readonly raw: unknown }>
}> = [
  {
    name: "not-an-event",
    invalid: [42, "x", null, []].map((raw, at) => ({ index: at + 1, path: "", raw })),
  },
  {
    name: "invalid-dates",
    invalid: ["7/24/2020", 1_748_772_000_000].map((impactStartTime, at) => ({
      index: at + 1,
      path: "properties.impactStartTime",
      raw: expect.objectContaining({
        name: `ODD-${at}`,
        properties: expect.objectContaining({ impactStartTime }),
      }),
    })),
  },
]

const start = (name: Faults.Name) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    return { ...started, ...(yield* connect(started.server.origin)) }
  })

describe.each(cases)("$name", ({ invalid, name }) => {
  it.scopedLive("fails a list with the first of them, after the events before it", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const { delivered, error } = yield* guarded(servers, drain(client.listBySubscription(subscription)))
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription", ...invalid[0] })
    }),
  )

  it.scopedLive("fails a collection, and says where", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const error = yield* Effect.flip(collect(client.listBySubscription(subscription)))
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription" })
      expect(error.message).toMatch(/entry 1 of a page/)
    }),
  )

  it.scopedLive("is told of in its place, and the rest of the page is delivered", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const order: Array<string> = []
      const told: Array<InvalidEvent.InvalidEvent> = []
      const onInvalid = (entry: InvalidEvent.InvalidEvent) =>
        Effect.sync(() => {
          told.push(entry)
          order.push(`entry ${entry.index}`)
        })
      const { delivered, error } = yield* guarded(
        servers,
        drain(
          client.listBySubscription(subscription, { onInvalid }).pipe(
            // What is delivered is noted as it comes, between what is told.
            Stream.tap((event) => Effect.sync(() => order.push(String(event.name)))),
          ),
        ),
      )
      expect(tagOf(error)).toBe("end")
      expect(namesOf(delivered)).toEqual(["BEFORE", "AFTER"])
      expect(told).toMatchObject(invalid)
      expect(order).toEqual(["BEFORE", ...invalid.map(({ index }) => `entry ${index}`), "AFTER"])
    }),
  )

  it.scopedLive("ends the list with what the caller makes of it", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const { delivered, error } = yield* drain(
        client.listBySubscription(subscription, { onInvalid: ({ index }) => Effect.fail(index) }),
      )
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toBe(1)
    }),
  )

  it.scopedLive("stands beside the events of its page, whose checkpoint is the end of the list", () =>
    Effect.gen(function* () {
      const { client, server, ...servers } = yield* start(name)
      const { delivered, error } = yield* guarded(
        { server, ...servers },
        drain(client.pagesBySubscription(subscription)),
      )
      expect(tagOf(error)).toBe("end")
      expect(delivered.map(({ items }) => namesOf(items))).toEqual([["BEFORE", "AFTER"]])
      expect(delivered[0]?.invalid).toMatchObject(invalid)
      expect(delivered[0]?.checkpoint.next).toEqual(Option.none())
      const from = delivered[0]?.checkpoint
      expect(yield* collect(client.listBySubscription(subscription, { from }))).toEqual([])
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.scopedLive("is not in the way of who looks for another event", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const found = yield* client.find(subscription, TrackingId.make("after"))
      expect(namesOf(Option.toArray(found))).toEqual(["AFTER"])
      expect(yield* client.find(subscription, TrackingId.make("NOWHERE"))).toEqual(Option.none())
    }),
  )

  it.scopedLive("is listed by a sweep with the events, and fails none", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const { delivered } = yield* guarded(servers, drain(Sweep.sweep([subscription]).pipe(withClient(client))))
      expect(delivered).toMatchObject([{ _tag: "Listed", events: [{ name: "BEFORE" }, { name: "AFTER" }], invalid }])
    }),
  )

  it.scopedLive("fails a watch once the changes of its page are told, unless it is told of", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const options = { lookback: "20000 days", schedule: Schedule.stop } as const
      const told: Array<number> = []
      const strict = yield* guarded(servers, drain(Watch.watch(subscription, options).pipe(withClient(client))))
      const lenient = yield* guarded(
        servers,
        drain(
          Watch.watch(subscription, {
            ...options,
            onInvalid: ({ index }) => Effect.sync(() => told.push(index)),
          }).pipe(withClient(client)),
        ),
      )
      expect(namesOf(strict.delivered.map(({ event }) => event))).toEqual(["BEFORE", "AFTER"])
      expect(strict.error).toMatchObject({
        _tag: "InvalidEvent",
        operation: "Watch.watch",
        ...invalid[0],
      })
      expect(namesOf(lenient.delivered.map(({ event }) => event))).toEqual(["BEFORE", "AFTER"])
      expect(lenient.error).toBeUndefined()
      expect(told).toEqual(invalid.map(({ index }) => index))
    }),
  )
})

it.scopedLive("an entry that says that it is the event looked for is told of as such", () =>
  Effect.gen(function* () {
    const { client, ...servers } = yield* start("invalid-dates")
    const { error } = yield* guarded(
      servers,
      drain(Stream.fromEffect(client.find(subscription, TrackingId.make("odd-1")))),
    )
    expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.find", index: 2 })
  }),
)
