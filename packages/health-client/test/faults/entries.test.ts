/** Invalid events: reported in order, without the loss of other events. */
import { describe, expect, it } from "@effect/vitest"
import { type InvalidEvent, TrackingId, Watch, Sweep } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"
import { collect, withClient } from "../collect.js"

/** The invalid events of each fault. */
const cases: ReadonlyArray<{
  readonly name: Faults.Name
  readonly invalid: ReadonlyArray<{ readonly index: number; readonly path: string; readonly raw: unknown }>
}> = [
  {
    name: "not-an-event",
    invalid: [42, "x", null, []].map((raw, position) => ({ index: position + 1, path: "", raw })),
  },
  {
    name: "invalid-dates",
    invalid: ["7/24/2020", 1_748_772_000_000].map((impactStartTime, position) => ({
      index: position + 1,
      path: "properties.impactStartTime",
      raw: expect.objectContaining({
        name: `ODD-${position}`,
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

describe.each(cases)("the invalid events of $name", ({ invalid, name }) => {
  it.scopedLive("fail a list with the first invalid event, after the events before it", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const { delivered, error } = yield* guarded(servers, drain(client.listBySubscription(subscription)))
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription", ...invalid[0] })
    }),
  )

  it.scopedLive("fail a collected list with the position of the invalid event", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const error = yield* Effect.flip(collect(client.listBySubscription(subscription)))
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription" })
      expect(error.message).toMatch(/entry 1 of a page/)
    }),
  )

  it.scopedLive("are passed to onInvalid in order, and the other events are delivered", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const order: Array<string> = []
      const reported: Array<InvalidEvent.InvalidEvent> = []
      const onInvalid = (entry: InvalidEvent.InvalidEvent) =>
        Effect.sync(() => {
          reported.push(entry)
          order.push(`entry ${entry.index}`)
        })
      const { delivered, error } = yield* guarded(
        servers,
        drain(
          client.listBySubscription(subscription, { onInvalid }).pipe(
            // Records events and invalid events in one order.
            Stream.tap((event) => Effect.sync(() => order.push(String(event.name)))),
          ),
        ),
      )
      expect(tagOf(error)).toBe("end")
      expect(namesOf(delivered)).toEqual(["BEFORE", "AFTER"])
      expect(reported).toMatchObject(invalid)
      expect(order).toEqual(["BEFORE", ...invalid.map(({ index }) => `entry ${index}`), "AFTER"])
    }),
  )

  it.scopedLive("fail the list with the error of onInvalid", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const { delivered, error } = yield* drain(
        client.listBySubscription(subscription, { onInvalid: ({ index }) => Effect.fail(index) }),
      )
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toBe(1)
    }),
  )

  it.scopedLive("are in `invalid` of their page, whose checkpoint is the end of the list", () =>
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

  it.scopedLive("do not fail `find` for another event", () =>
    Effect.gen(function* () {
      const { client } = yield* start(name)
      const found = yield* client.find(subscription, TrackingId.make("after"))
      expect(namesOf(Option.toArray(found))).toEqual(["AFTER"])
      expect(yield* client.find(subscription, TrackingId.make("NOWHERE"))).toEqual(Option.none())
    }),
  )

  it.scopedLive("are listed by a sweep, which does not fail", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const { delivered } = yield* guarded(servers, drain(Sweep.sweep([subscription]).pipe(withClient(client))))
      expect(delivered).toMatchObject([{ _tag: "Listed", events: [{ name: "BEFORE" }, { name: "AFTER" }], invalid }])
    }),
  )

  it.scopedLive("fail a watch after the changes of their page, unless onInvalid is set", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const options = { lookback: "20000 days", schedule: Schedule.stop } as const
      const reported: Array<number> = []
      const strict = yield* guarded(servers, drain(Watch.watch(subscription, options).pipe(withClient(client))))
      const lenient = yield* guarded(
        servers,
        drain(
          Watch.watch(subscription, {
            ...options,
            onInvalid: ({ index }) => Effect.sync(() => reported.push(index)),
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
      expect(reported).toEqual(invalid.map(({ index }) => index))
    }),
  )
})

it.scopedLive("`find` fails with InvalidEvent if the requested event is invalid", () =>
  Effect.gen(function* () {
    const { client, ...servers } = yield* start("invalid-dates")
    const { error } = yield* guarded(
      servers,
      drain(Stream.fromEffect(client.find(subscription, TrackingId.make("odd-1")))),
    )
    expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.find", index: 2 })
  }),
)
