/** The encodings of the content of `vigil serve`. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import { onePerType } from "@vigil/testing/snapshots"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Content from "../../src/serve/Content.js"
import * as Drawing from "../../src/serve/Drawing.js"
import type * as State from "../../src/serve/State.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { firstState, startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

const drawingOf = (state: State.State) => Drawing.make(state, { names: SubscriptionNames.make([]) })

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

  it("is compressed once for all readers of a state, and of later states with the same text", async () => {
    let text = ""
    const contentOf = Content.make(() => [text], drawingOf)
    const body = async (next: string, version: string) => {
      text = next
      return (await contentOf({ ...firstState, version })).gzip.body()
    }
    const first = await body("a", "1")
    expect(await body("b", "1")).toBe(first)
    expect(await body("a", "2")).toBe(first)
    expect(await body("b", "3")).not.toEqual(first)
  })

  it("lets other work run while it is made, once for all who wait, and is made again after an exception", async () => {
    let [made, others] = [0, 0]
    const contentOf = Content.make(function* () {
      made += 1
      // Each part takes longer than a slice.
      for (let part = 0; part < 3; part += 1) {
        const end = performance.now() + 30
        while (performance.now() < end);
        yield `${part}`
      }
      if (made === 1) throw new Error("made wrong")
    }, drawingOf)
    const all = [firstState, { ...firstState, version: "1" }].map((state) => contentOf(state))
    setImmediate(() => (others += 1))
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect([made, others]).toEqual([1, 1])
    expect(String(await (await contentOf(firstState)).identity.body())).toBe("012")
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
