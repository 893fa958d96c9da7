/** Bodies: compressed, split into chunks, and around the size limit. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Retry } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { clientOf, endless, fake, outcome } from "./fake.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const thing = { ok: true, name: "Störung – 障害", items: Array.from({ length: 50 }, (_, n) => ({ n })) }
const plain = bytesOf(JSON.stringify(thing))

/** Two members, which decompress to one text (RFC 1952, section 2.2). */
const gzipMembers = (bytes: Uint8Array) =>
  Buffer.concat([gzipSync(bytes.subarray(0, 99)), gzipSync(bytes.subarray(99))])

/** A response whose body has chunks of the given sizes, then the rest. */
const responseOf = (body: Uint8Array, headers: Record<string, string> = {}, sizes: ReadonlyArray<number> = []) => {
  const chunks = new ReadableStream({
    start: (controller) => {
      let from = 0
      for (const size of [...sizes, body.length]) {
        if (from < body.length) controller.enqueue(body.slice(from, from + size))
        from += size
      }
      controller.close()
    },
  })
  return new Response(chunks, { headers })
}

/** A GET of a response. */
const request = (response: Response, maxBodyBytes?: number) =>
  Effect.flatMap(
    Effect.orDie(
      clientOf(
        fake(() => response),
        { maxBodyBytes, retry: Retry.none },
      ),
    ),
    (service) => service.get({ operation: "Thing.read", url: "/thing", decode: Effect.succeed }),
  )

/** The JSON of a response, or the reason. Runs live, because decompression does not use the test clock. */
const read = (response: Response, maxBodyBytes?: number) =>
  Effect.result(Effect.mapError(request(response, maxBodyBytes), ({ reason }) => reason))

describe("a compressed body", () => {
  it.live.each([
    ["GZIP", gzipSync(plain)],
    ["deflate", deflateSync(plain, { level: 1 })],
    ["gzip, deflate", deflateSync(gzipSync(plain))],
    ["gzip,gzip,gzip", gzipSync(gzipSync(gzipSync(plain)))],
    ["gzip, identity", gzipSync(plain)],
    ["gzip", gzipMembers(plain)],
    ["deflate", deflateRawSync(plain)],
    ["deflate, gzip", gzipSync(deflateRawSync(plain))],
    // Fetch keeps the header.
    ["deflate", plain],
  ] as const)("is decompressed: %s", ([encoding, body]) =>
    Effect.gen(function* () {
      expect(yield* read(responseOf(body, { "content-encoding": encoding }))).toEqual(Result.succeed(thing))
    }),
  )

  const notJson = expect.stringMatching(/^is not JSON/)
  const broken = "cannot be decompressed"

  it.live.each([
    // At most as often as the header says, and at most three times.
    ["gzip", gzipSync(gzipSync(plain)), notJson],
    ["identity", gzipSync(plain), notJson],
    ["gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(plain)))), notJson],
    ["gzip", gzipSync(plain).subarray(0, -8), broken],
    ["gzip", gzipMembers(plain).subarray(0, -8), broken],
    ["gzip", Buffer.concat([gzipSync(plain), bytesOf("junk")]), broken],
    ["deflate", deflateRawSync(plain).subarray(0, -8), notJson],
    ["gzip, gzip", gzipSync(gzipSync(plain).fill(0xff, 20, 40)), broken],
    ["gzip", deflateSync(plain).subarray(0, 60), broken],
    ["br", brotliCompressSync(plain), "is not JSON (content-encoding: br)"],
  ])("that is invalid or unsupported fails to decode: %s", ([encoding, body, problem]) =>
    Effect.gen(function* () {
      const result = yield* read(responseOf(body, { "content-encoding": encoding }))
      expect(result).toMatchObject({ failure: { _tag: "Decode", path: "", problem } })
    }),
  )
})

describe("maxBodyBytes", () => {
  it.live.each([
    ["identity", plain],
    ["gzip", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["gzip, gzip", gzipSync(gzipSync(plain))],
    ["gzip", gzipMembers(plain)],
    ["deflate", deflateRawSync(plain)],
  ] as const)("allows a body of exactly that size, and not one byte more: %s", ([encoding, body]) =>
    Effect.gen(function* () {
      const headers = { "content-encoding": encoding }
      const declared = { ...headers, "content-length": String(body.length) }
      const limit = plain.length - 1
      const tooLarge = { failure: { _tag: "BodyTooLarge", limit } }
      expect(yield* read(responseOf(body, declared), plain.length)).toEqual(Result.succeed(thing))
      expect(yield* read(responseOf(body, headers, [10, 20]), plain.length)).toEqual(Result.succeed(thing))
      expect(yield* read(responseOf(body, declared), limit)).toMatchObject(tooLarge)
      expect(yield* read(responseOf(body, headers, [10, 20]), limit)).toMatchObject(tooLarge)
    }),
  )

  it.effect.each([
    ["if the declared length is larger", 100, { "content-length": "101" }],
    ["as soon as the body is larger, without a declared length", 3, {}],
    ["as soon as the body is larger, with an invalid declared length", 3, { "content-length": "0x2" }],
    ["as soon as the body is larger than declared, in chunks", 3, { "content-length": "2", "transfer-encoding": "a" }],
    ["as soon as the body is larger than declared, compressed", 3, { "content-length": "2", "content-encoding": "a" }],
  ] as const)("cancels the body %s", ([, limit, headers]) =>
    Effect.gen(function* () {
      const { response, state } = endless()
      const { at, reason } = yield* outcome(request(new Response(response().body, { headers }), limit))
      expect(reason).toMatchObject({ _tag: "BodyTooLarge", limit })
      expect([state.isCancelled, at]).toEqual([true, 0])
    }),
  )
})
