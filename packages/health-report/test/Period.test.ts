import * as FastCheck from "fast-check"
import { expect, it } from "vitest"
import * as Period from "../src/internal/period.js"

const intervals = FastCheck.array(
  FastCheck.record({
    start: FastCheck.nat(20),
    length: FastCheck.oneof(FastCheck.nat(5), FastCheck.constant(Infinity)),
  }),
).map((all) => all.map(({ length, start }) => ({ interval: { start, end: start + length } })))

const covers = (all: ReadonlyArray<Period.Interval>, at: number) =>
  all.some(({ end, start }) => start <= at && at < end)

it("a union covers exactly its intervals, in order, with gaps", () => {
  FastCheck.assert(
    FastCheck.property(intervals, (all) => {
      const union = Period.union(all)
      const separate = all.map(({ interval }) => interval)
      for (let at = 0; at < 30; at++) expect(covers(union, at)).toBe(covers(separate, at))
      for (const [index, { start }] of union.slice(1).entries()) expect(union[index]?.end).toBeLessThan(start)
      expect(union.flatMap(({ own }) => own)).toEqual(all.toSorted(Period.byStart))
    }),
  )
})
