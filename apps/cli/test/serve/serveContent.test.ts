/** The encodings of the content of `vigil serve`. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import { onePerType } from "@vigil/testing/snapshots"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Content from "../../src/serve/Content.js"
import * as State from "../../src/serve/State.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

describe("the content of a server", () => {
  it.effect("is compressed for clients that accept gzip, with an entity tag for each encoding", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(onePerType.now)
      const service = yield* serveSubscriptions([Reply.page(onePerType.events)])
      const { get, idle, url } = yield* startServer("-s", "x", "--base-url", service.origin)
      yield* idle
      for (const path of ["/", "/events", "/calendar.ics"]) {
        const plain = yield* get(path)
        const headers = { "accept-encoding": "br, gzip" }
        const zipped = yield* Effect.promise(() => fetch(new URL(path, url), { headers }))
        expect(zipped.headers.get("content-encoding")).toBe("gzip")
        expect(Number(zipped.headers.get("content-length"))).toBeLessThan(Buffer.byteLength(plain.text) / 1.5)
        expect(yield* Effect.promise(() => zipped.text())).toBe(plain.text)
        const tag = zipped.headers.get("etag") ?? ""
        expect([plain.headers["content-encoding"], plain.headers.vary]).toEqual([undefined, "accept-encoding"])
        const status = (tag = "") =>
          Effect.map(get(path, { headers: { ...headers, "if-none-match": tag } }), ({ status }) => status)
        expect([yield* status(tag), yield* status(plain.headers.etag)]).toEqual([304, 200])
      }
    }),
  )

  it("is compressed once for all readers of a state, and of later states with the same text", () => {
    let source = ""
    const contentOf = Content.make(
      (snapshot) => snapshot.source,
      () => ({ ...onePerType, source }),
    )
    const body = (text: string) => {
      source = text
      return contentOf(State.initial(0, []))?.gzip.body()
    }
    const first = body("a")
    expect(body("a")).toBe(first)
    expect(body("b")).not.toEqual(first)
  })

  it.each([
    ["gzip", "gzip"],
    ["br;q=1.0, GZIP ; q=0.5", "gzip"],
    ["x-gzip", "gzip"],
    ["gzip;q=0", "identity"],
    ["gzip; q=0.000, br", "identity"],
    ["br", "identity"],
    ["", "identity"],
  ])("has for Accept-Encoding %j the encoding %s", (header, encoding) => {
    expect(Content.encoding(header)).toBe(encoding)
  })
})
