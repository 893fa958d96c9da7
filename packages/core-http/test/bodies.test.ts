/** Bodies: compressed, split into chunks, and around the size limit. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/core-http"
import * as property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { clientOf, endless, fake, outcome } from "./fake.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const thing = { ok: true, name: "Störung – 障害", items: Array.from({ length: 50 }, (_, n) => ({ n })) }
const plain = bytesOf(JSON.stringify(thing))

/** The bytes in chunks of the given sizes, then the rest. */
const chunked = (bytes: Uint8Array, sizes: ReadonlyArray<number> = []): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      let from = 0
      for (const size of [...sizes, bytes.length]) {
        if (from < bytes.length) controller.enqueue(bytes.slice(from, from + size))
        from += size
      }
      controller.close()
    },
  })

/** A response with optional encoding and length headers. */
const responseOf = (
  body: Uint8Array | ReadableStream<Uint8Array>,
  { encoding, length }: { readonly encoding?: string | undefined; readonly length?: number } = {},
) => {
  const headers = new Headers()
  if (encoding !== undefined) headers.set("content-encoding", encoding)
  if (length !== undefined) headers.set("content-length", String(length))
  return new Response(body instanceof Uint8Array ? chunked(body) : body, { headers })
}

/** The JSON of a response, or the error. Runs live, because decompression does not use the test clock. */
const read = (response: Response, maxBodyBytes?: number, method: "GET" | "DELETE" = "GET") =>
  Effect.gen(function* () {
    const service = yield* clientOf(
      fake(() => response),
      { maxBodyBytes, retry: RetryPolicy.none },
    )
    const url = service.url("/thing")
    return yield* Effect.result(service.request({ operation: "Thing.read", method, url, decode: Effect.succeed }))
  })

const invalidEncoding = { _tag: "DecodeError", operation: "Thing.read", path: "", reason: "cannot be decompressed" }
const notJson = { _tag: "DecodeError", path: "", reason: expect.stringMatching(/^is not JSON/) }

describe("a compressed body", () => {
  it.live.each([
    ["gzip", gzipSync(plain)],
    ["x-gzip", gzipSync(plain)],
    ["GZIP", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["deflate", deflateSync(plain, { level: 1 })],
    ["deflate", deflateSync(plain, { level: 9 })],
    ["gzip, gzip", gzipSync(gzipSync(plain))],
    ["deflate, gzip", gzipSync(deflateSync(plain))],
    ["gzip, deflate", deflateSync(gzipSync(plain))],
    ["gzip,gzip,gzip", gzipSync(gzipSync(gzipSync(plain)))],
    ["gzip, identity", gzipSync(plain)],
  ] as const)("is decompressed: %s", ([encoding, body]) =>
    Effect.gen(function* () {
      expect(yield* read(responseOf(body, { encoding }))).toEqual(Result.succeed(thing))
    }),
  )

  it.live.each([
    ["gzip", gzipSync(gzipSync(plain))],
    ["gzip, identity", gzipSync(gzipSync(plain))],
    ["identity , Identity, gzip", gzipSync(gzipSync(plain))],
    [",gzip, ,", gzipSync(gzipSync(plain))],
    ["identity", gzipSync(plain)],
    ["gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(plain))))],
  ] as const)("is decompressed at most as often as its header says, and at most three times: %s", ([encoding, body]) =>
    Effect.gen(function* () {
      expect(yield* read(responseOf(body, { encoding }))).toMatchObject({ failure: notJson })
    }),
  )

  it.live.each([
    ["cut in the middle", gzipSync(plain).subarray(0, 60)],
    ["cut before its checksum", gzipSync(plain).subarray(0, -8)],
    ["of the first two bytes", Uint8Array.of(0x1f, 0x8b)],
    ["broken", gzipSync(plain).fill(0xff, 20, 40)],
    ["broken in its inner coding", gzipSync(gzipSync(plain).fill(0xff, 20, 40))],
    ["cut, of the other format", deflateSync(plain).subarray(0, 60)],
  ] as const)("that is %s fails with a DecodeError", ([, body]) =>
    Effect.gen(function* () {
      expect(yield* read(responseOf(body, { encoding: "gzip, gzip" }))).toMatchObject({ failure: invalidEncoding })
    }),
  )

  it.live("in an unsupported encoding fails with the name of the encoding", () =>
    Effect.gen(function* () {
      const result = yield* read(responseOf(brotliCompressSync(plain), { encoding: "br" }))
      const reason = "is not JSON (content-encoding: br)"
      expect(result).toMatchObject({ failure: { _tag: "DecodeError", path: "", reason } })
    }),
  )
})

describe("a body", () => {
  const codings = [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["identity", bytesOf],
  ] as const

  property.live(
    "is decoded for any chunks, compressed or not",
    [
      FastCheck.jsonValue(),
      FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { maxLength: 40 }),
      FastCheck.constantFrom(...codings),
    ],
    ([json, sizes, [encoding, coded]]) =>
      Effect.gen(function* () {
        const text = JSON.stringify({ json, name: thing.name })
        const result = yield* read(responseOf(chunked(coded(text), sizes), { encoding }))
        expect(result).toEqual(Result.succeed(JSON.parse(text)))
      }),
  )

  property.live(
    "of JSON is never detected as compressed",
    [FastCheck.json(), FastCheck.constantFrom("gzip", "deflate", "br")],
    ([text, encoding]) =>
      Effect.gen(function* () {
        expect(yield* read(responseOf(bytesOf(text), { encoding }))).toEqual(Result.succeed(JSON.parse(text)))
      }),
  )
})

describe("maxBodyBytes", () => {
  const forms = [
    ["plain", plain, undefined],
    ["compressed by gzip", gzipSync(plain), "gzip"],
    ["compressed by deflate", deflateSync(plain), "deflate"],
    ["compressed twice", gzipSync(gzipSync(plain)), "gzip, gzip"],
  ] as const

  it.live.each(forms)("allows a body of exactly that size: %s", ([, body, encoding]) =>
    Effect.gen(function* () {
      const declared = responseOf(body, { encoding, length: body.length })
      expect(yield* read(declared, plain.length)).toEqual(Result.succeed(thing))
      expect(yield* read(responseOf(chunked(body, [10, 20]), { encoding }), plain.length)).toEqual(
        Result.succeed(thing),
      )
    }),
  )

  it.live.each(forms)("fails with BodyTooLarge for one byte more: %s", ([, body, encoding]) =>
    Effect.gen(function* () {
      const limit = plain.length - 1
      const tooLarge = { failure: { _tag: "BodyTooLarge", operation: "Thing.read", limit } }
      expect(yield* read(responseOf(body, { encoding, length: body.length }), limit)).toMatchObject(tooLarge)
      expect(yield* read(responseOf(chunked(body, [10, 20]), { encoding }), limit)).toMatchObject(tooLarge)
    }),
  )

  const smaller = { "content-length": "2" }

  it.effect.each([
    ["if the declared length is larger", 100, { "content-length": "101" }],
    ["as soon as the body is larger, without a declared length", 3, {}],
    ["as soon as the body is larger, with an invalid declared length", 3, { "content-length": "many" }],
    ["as soon as the body is larger, with a declared length that is not decimal", 3, { "content-length": "0x2" }],
    [
      "as soon as the body is larger than declared, if it is sent in chunks",
      3,
      { ...smaller, "transfer-encoding": "a" },
    ],
    [
      "as soon as the body is larger than declared, if it may be compressed",
      3,
      { ...smaller, "content-encoding": "a" },
    ],
  ] as const)("cancels the body %s", ([, limit, headers]) =>
    Effect.gen(function* () {
      const { response, state } = endless()
      const { body } = response()
      const service = yield* clientOf(
        fake(() => new Response(body, { headers })),
        { maxBodyBytes: limit, retry: RetryPolicy.none },
      )
      const { at, error } = yield* outcome(
        service.get({ operation: "Thing.read", url: service.url("/thing"), decode: Effect.succeed }),
      )
      expect(error).toMatchObject({ _tag: "BodyTooLarge", limit })
      expect([state.isCancelled, at]).toEqual([true, 0])
    }),
  )

  it.effect("rejects a larger body than declared, if the HTTP client changed it", () =>
    Effect.gen(function* () {
      const service = yield* clientOf(
        fake(() => new Response(`{"ok":true}`, { headers: { "content-length": "2" } })),
        { maxBodyBytes: 3, retry: RetryPolicy.none },
      )
      const { error } = yield* outcome(
        service.get({ operation: "Thing.read", url: service.url("/thing"), decode: Effect.succeed }),
      )
      expect(error).toMatchObject({ _tag: "BodyTooLarge", limit: 3 })
    }),
  )
})
