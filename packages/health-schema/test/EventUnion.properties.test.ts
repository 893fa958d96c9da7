/** Properties of the union of any copies. */
import { EventUnion, type HealthEvent } from "@vigil/health-schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { timeAt, type Place, holds, impact, places, copies } from "./impacts.js"

type Copies = ReadonlyArray<HealthEvent.HealthEvent>

const union = (all: Copies): HealthEvent.HealthEvent => {
  const [first = {}, ...others] = all
  return EventUnion.merge([first, ...others])
}

const placesOf = (event: HealthEvent.HealthEvent) => places(event.properties?.impact)

const keys = (all: ReadonlyArray<Place>) =>
  all.map(({ guid, region, service, subscription }) => JSON.stringify([guid || service, region, subscription]))

/** Copies with the same update time. */
const ties = fc
  .array(impact, { minLength: 1, maxLength: 4 })
  .map((all): Copies => all.map((impact) => ({ properties: { lastUpdateTime: timeAt(1), impact } })))

const any = fc.oneof(copies, ties)

describe("the union of any copies", () => {
  it("has every service, region and subscription exactly once", () => {
    fc.assert(
      fc.property(any, (all) => {
        const found = placesOf(union(all))
        const places = all.flatMap(placesOf)
        expect(places.filter((place) => !holds(found, place))).toEqual([])
        expect(new Set(keys(found)).size).toBe(found.length)
        const subscriptions = new Set(places.map(({ region, subscription }) => JSON.stringify([region, subscription])))
        expect(
          found.filter(({ region, subscription }) => !subscriptions.has(JSON.stringify([region, subscription]))),
        ).toEqual([])
      }),
    )
  })

  it("is idempotent", () => {
    fc.assert(
      fc.property(any, (all) => {
        const whole = union(all)
        expect(union([whole])).toEqual(whole)
        expect(union([whole, whole])).toEqual(whole)
        expect(union([whole, ...all])).toEqual(whole)
      }),
    )
  })

  it("does not depend on the order of copies with different update times", () => {
    const orders = copies.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })),
    )
    fc.assert(
      fc.property(orders, ([all, other]) => {
        expect(union(other)).toEqual(union(all))
      }),
    )
  })
})
