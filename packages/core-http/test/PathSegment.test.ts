import { PathSegment } from "@vigil/core-http"
import * as fc from "fast-check"
import { expect, it } from "vitest"

it.each(["a", "a b", "a+b", "a'b", "ä", "…", "...", "a:b@c", "a=b&c", "~"])("%j is a segment", (text) => {
  expect(PathSegment.isSegment(text)).toBe(true)
})

it.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "%2e", "a\nb", "\u0000", "\ud800"])(
  "%j is not a segment",
  (text) => {
    expect(PathSegment.isSegment(text)).toBe(false)
  },
)

it("segments survive joining and parsing", () => {
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

it("joining no segments returns an empty path", () => {
  expect(PathSegment.join([])).toBe("")
})
