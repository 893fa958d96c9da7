import type { Interval } from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as FastCheck from "fast-check"
import { expect, it } from "vitest"
import * as Intervals from "../src/internal/intervals.js"

const timeAt = (hour: number) => DateTime.makeUnsafe(hour * 3_600_000)

const intervals = FastCheck.array(
  FastCheck.record({ start: FastCheck.nat(20), length: FastCheck.option(FastCheck.nat(5)) }).map(
    ({ length, start }): Interval => ({
      start: timeAt(start),
      end: length === null ? Option.none() : Option.some(timeAt(start + length)),
    }),
  ),
)

const covers = (all: ReadonlyArray<Interval>, hour: number) =>
  all.some(
    ({ end, start }) =>
      DateTime.isLessThanOrEqualTo(start, timeAt(hour)) &&
      !Option.exists(end, DateTime.isLessThanOrEqualTo(timeAt(hour))),
  )

it("a union covers exactly its intervals, in order, with gaps", () => {
  FastCheck.assert(
    FastCheck.property(intervals, (all) => {
      const union = Intervals.union(all)
      for (let hour = 0; hour < 30; hour++) expect(covers(union, hour)).toBe(covers(all, hour))
      for (const [index, { start }] of union.entries())
        if (index > 0)
          expect(Option.exists(union[index - 1]?.end ?? Option.none(), DateTime.isLessThan(start))).toBe(true)
    }),
  )
})
