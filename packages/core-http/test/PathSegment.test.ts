import { PathSegment } from "@vigil/core-http"
import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"

it.each(["a", "a b", "a+b", "a'b", "ä", "…", "...", "a:b@c", "a=b&c", "~"])("%j can be a segment", (text) => {
  expect(PathSegment.isSegment(text)).toBe(true)
})

it.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "%2e", "a\nb", "\u0000", "\ud800"])("%j can't", (text) => {
  expect(PathSegment.isSegment(text)).toBe(false)
})

it("segments come back from the path that they make, whatever they are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }).filter(PathSegment.isSegment), { minLength: 1 }),
      (segments) => {
        const { pathname } = new URL(`https://service.example${PathSegment.join(segments)}?q`)
        expect(pathname.slice(1).split("/").map(decodeURIComponent)).toEqual(segments)
      },
    ),
  )
})

it("no segments make no path", () => {
  expect(PathSegment.join([])).toBe("")
})
