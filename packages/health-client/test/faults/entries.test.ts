/** Invalid events: reported in order, without the loss of other events. */
import { describe, expect, it } from "@effect/vitest"
import { type InvalidEvent, TrackingId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"
import { collect } from "../collect.js"

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
  it.live("fail a list with the first invalid event, after the events before it", () =>
    Effect.gen(function* () {
      const { client, ...servers } = yield* start(name)
      const { delivered, error } = yield* guarded(servers, drain(client.listBySubscription(subscription)))
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription", ...invalid[0] })
      expect(error?.message).toMatch(
        /^HealthClient\.listBySubscription: entry 1 of a page is not an event: .+ must be /,
      )
    }),
  )

  it.live("are passed to onInvalid in order, and the other events are delivered", () =>
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

  it.live("are in `invalid` of their page, whose checkpoint is the end of the list", () =>
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
})

it.live("`find` fails with InvalidEvent if the requested event is invalid", () =>
  Effect.gen(function* () {
    const { client, ...servers } = yield* start("invalid-dates")
    const { error } = yield* guarded(
      servers,
      drain(Stream.fromEffect(client.find(subscription, TrackingId.make("odd-1")))),
    )
    expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.find", index: 2 })
  }),
)
