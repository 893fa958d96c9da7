import { PathSegment } from "@vigil/core-http"
import * as property from "@vigil/testing/property"
import * as FastCheck from "fast-check"
import { expect, it } from "vitest"

it("a segment is one for every server", () => {
  for (const text of ["a", "a b", "a+b", "a'b", "ä", "…", "...", "a:b@c", "a=b&c", "~"])
    expect(PathSegment.isSegment(text), text).toBe(true)
  for (const text of ["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "%2e", "a\nb", "\u0000", "\ud800"])
    expect(PathSegment.isSegment(text), text).toBe(false)
})

property.sync(
  "segments survive joining and parsing",
  [FastCheck.array(FastCheck.string({ unit: "grapheme" }).filter(PathSegment.isSegment))],
  ([segments]) => {
    const { pathname } = new URL(`https://service.example/a${PathSegment.join(segments)}?q`)
    expect(pathname.slice(1).split("/").map(decodeURIComponent)).toEqual(["a", ...segments])
  },
)
