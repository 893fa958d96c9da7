/** Invalid entries: reported in order, without the loss of events. */
import { describe, expect, it } from "@effect/vitest"
import { Listing } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { collect } from "../collect.js"
import { connect, drain, guarded, namesOf, subscription } from "./harness.js"

const oddTime = (impactStartTime: unknown, position: number) => ({
  index: position + 1,
  path: "properties.impactStartTime",
  raw: expect.objectContaining({ properties: expect.objectContaining({ impactStartTime }) }),
})

const cases: ReadonlyArray<readonly [Faults.Name, ReadonlyArray<{ readonly index: number }>]> = [
  ["not-an-event", [42, "x", null, []].map((raw, position) => ({ index: position + 1, path: "", raw }))],
  ["invalid-dates", ["7/24/2020", 1_748_772_000_000].map(oddTime)],
]

describe.each(cases)("the invalid entries of %s", (name, invalid) => {
  it.live("fail a list with the first one, after the events before it", () =>
    Effect.gen(function* () {
      const started = yield* Faults.start(name)
      const { client } = yield* connect(started.server.origin)
      const { delivered, error } = yield* guarded(started, drain(client.listBySubscription(subscription)))
      expect(namesOf(delivered)).toEqual(["BEFORE"])
      expect(error).toMatchObject({ _tag: "InvalidEvent", operation: "HealthClient.listBySubscription", ...invalid[0] })
    }),
  )

  it.live("are in their page, and `Listing.items` reports them between the events", () =>
    Effect.gen(function* () {
      const started = yield* Faults.start(name)
      const { client } = yield* connect(started.server.origin)
      const { delivered, error } = yield* guarded(started, drain(client.pagesBySubscription(subscription)))
      expect(error).toBeUndefined()
      expect(delivered).toMatchObject([{ invalid, items: [{ name: "BEFORE" }, { name: "AFTER" }] }])
      expect(delivered[0]?.checkpoint.next).toEqual(Option.none())

      const order: Array<unknown> = []
      const record = (entry: unknown) => Effect.sync(() => order.push(entry))
      yield* collect(
        Stream.fromIterable(delivered).pipe(
          Listing.items({ onInvalid: ({ index }) => record(index) }),
          Stream.tap((event) => record(event.name)),
        ),
      )
      expect(order).toEqual(["BEFORE", ...invalid.map(({ index }) => index), "AFTER"])
    }),
  )
})
