/** Bodies: compressed in every way, cut anywhere, as large as is allowed and larger. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { clientOf, endless, fake, outcome } from "./fake.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const thing = { ok: true, name: "Störung – 障害", items: Array.from({ length: 50 }, (_, n) => ({ n })) }
const plain = bytesOf(JSON.stringify(thing))

/** The bytes in chunks of these sizes, and the rest of them. */
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

/** An answer of these bytes, which says so of its encoding and of its length, where it does. */
const answerOf = (
  body: Uint8Array | ReadableStream<Uint8Array>,
  { encoding, length }: { readonly encoding?: string | undefined; readonly length?: number } = {},
) => {
  const headers = new Headers()
  if (encoding !== undefined) headers.set("content-encoding", encoding)
  if (length !== undefined) headers.set("content-length", String(length))
  return new Response(body instanceof Uint8Array ? chunked(body) : body, { headers })
}

/** The JSON of such an answer, or the error that it is. Time is real, as what decompresses does not ask the test's clock. */
const read = (response: Response, maxBodyBytes?: number, method: "GET" | "DELETE" = "GET") =>
  Effect.gen(function* () {
    const service = yield* clientOf(
      fake(() => response),
      { maxBodyBytes, retry: RetryPolicy.none },
    )
    const url = service.url("/thing")
    return yield* Effect.either(service.request({ operation: "Thing.read", method, url, decode: Either.right }))
  })

const undecodable = { _tag: "DecodeError", operation: "Thing.read", path: "", reason: "cannot be decompressed" }
const notRead = { _tag: "DecodeError", path: "", reason: expect.stringMatching(/^is not JSON/) }

describe("a compressed body", () => {
  it.scopedLive.each([
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
  ] as const)("is read: %s", ([encoding, body]) =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(body, { encoding }))).toEqual(Either.right(thing))
    }),
  )

  it.scopedLive.each([["gzip"], ["deflate"], ["br"], ["gzip, gzip"], ["identity"], [""]])(
    "that was decompressed on its way, its header left on it, is read: %j",
    ([encoding]) =>
      Effect.gen(function* () {
        expect(yield* read(answerOf(plain, { encoding }))).toEqual(Either.right(thing))
      }),
  )

  it.scopedLive.each([
    ["gzip", gzipSync(gzipSync(plain))],
    ["gzip, identity", gzipSync(gzipSync(plain))],
    ["identity , Identity, gzip", gzipSync(gzipSync(plain))],
    [",gzip, ,", gzipSync(gzipSync(plain))],
    ["identity", gzipSync(plain)],
    ["gzip, gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(gzipSync(plain))))],
  ] as const)(
    "is read through no more codings than its header names, nor through more than three: %s",
    ([encoding, body]) =>
      Effect.gen(function* () {
        expect(yield* read(answerOf(body, { encoding }))).toMatchObject({ left: notRead })
      }),
  )

  it.scopedLive("without a header that names it is not JSON", () =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(gzipSync(plain)))).toMatchObject({ left: notRead })
    }),
  )

  it.scopedLive.each([
    ["cut in the middle", gzipSync(plain).subarray(0, 60)],
    ["cut before its checksum", gzipSync(plain).subarray(0, -8)],
    ["of the first two bytes", Uint8Array.of(0x1f, 0x8b)],
    ["broken", gzipSync(plain).fill(0xff, 20, 40)],
    ["broken in its inner coding", gzipSync(gzipSync(plain).fill(0xff, 20, 40))],
    ["cut, of the other format", deflateSync(plain).subarray(0, 60)],
  ] as const)("that is %s is a DecodeError that says so", ([, body]) =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(body, { encoding: "gzip, gzip" }))).toMatchObject({ left: undecodable })
    }),
  )

  it.scopedLive.each([
    ["gzip's first byte alone", Uint8Array.of(0x1f, 0x20)],
    ["deflate's first byte alone", bytesOf("xy")],
  ] as const)("is not what only begins with %s", ([, body]) =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(body, { encoding: "gzip" }))).toMatchObject({ left: notRead })
    }),
  )

  it.scopedLive.each([
    ["gzip's second byte", Uint8Array.of(0x22, 0x8b, 0x22), "\ufffd"],
    ["a sum that deflate's first bytes have", bytesOf("39"), 39],
  ] as const)("is not JSON that has %s", ([, body, json]) =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(body, { encoding: "gzip" }))).toEqual(Either.right(json))
    }),
  )

  it.scopedLive("in an encoding that the HTTP client leaves is refused by the encoding's name", () =>
    Effect.gen(function* () {
      const answer = yield* read(answerOf(brotliCompressSync(plain), { encoding: "br" }))
      const reason = "is not JSON (content-encoding: br)"
      expect(answer).toMatchObject({ left: { _tag: "DecodeError", path: "", reason } })
    }),
  )

  it.scopedLive("without a byte is an empty one", () =>
    Effect.gen(function* () {
      const empty = () => answerOf(new Uint8Array(), { encoding: "gzip" })
      expect(yield* read(empty(), undefined, "DELETE")).toEqual(Either.right(undefined))
      expect(yield* read(empty())).toMatchObject({ left: notRead })
    }),
  )
})

describe("a body", () => {
  const codings = [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["identity", bytesOf],
  ] as const

  it.scopedLive.prop(
    "is the same wherever it is cut into chunks, compressed or not",
    {
      json: FastCheck.jsonValue(),
      sizes: FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { maxLength: 40 }),
      form: FastCheck.constantFrom(...codings),
    },
    ({ form: [encoding, coded], json, sizes }) =>
      Effect.gen(function* () {
        const text = JSON.stringify({ json, name: thing.name })
        const came = yield* read(answerOf(chunked(coded(text), sizes), { encoding }))
        expect(came).toEqual(Either.right(JSON.parse(text)))
      }),
  )

  it.scopedLive.prop(
    "of JSON is never taken for a compressed one",
    { text: FastCheck.json(), encoding: FastCheck.constantFrom("gzip", "deflate", "br") },
    ({ encoding, text }) =>
      Effect.gen(function* () {
        expect(yield* read(answerOf(bytesOf(text), { encoding }))).toEqual(Either.right(JSON.parse(text)))
      }),
  )

  it.scopedLive("is read without its byte order mark", () =>
    Effect.gen(function* () {
      expect(yield* read(answerOf(bytesOf("\ufeff[1]")))).toEqual(Either.right([1]))
    }),
  )

  it.scopedLive("that is not JSON is a DecodeError that says so", () =>
    Effect.gen(function* () {
      const came = yield* read(answerOf(bytesOf("<html>")))
      expect(came).toMatchObject({ left: notRead })
    }),
  )
})

describe("the largest body", () => {
  const forms = [
    ["plain", plain, undefined],
    ["compressed by gzip", gzipSync(plain), "gzip"],
    ["compressed by deflate", deflateSync(plain), "deflate"],
    ["compressed twice", gzipSync(gzipSync(plain)), "gzip, gzip"],
  ] as const

  it.scopedLive.each(forms)("that is allowed is read: %s", ([, body, encoding]) =>
    Effect.gen(function* () {
      const declared = answerOf(body, { encoding, length: body.length })
      expect(yield* read(declared, plain.length)).toEqual(Either.right(thing))
      expect(yield* read(answerOf(chunked(body, [10, 20]), { encoding }), plain.length)).toEqual(Either.right(thing))
    }),
  )

  it.scopedLive.each(forms)("and one byte more is a BodyTooLarge: %s", ([, body, encoding]) =>
    Effect.gen(function* () {
      const limit = plain.length - 1
      const tooLarge = { left: { _tag: "BodyTooLarge", operation: "Thing.read", limit } }
      expect(yield* read(answerOf(body, { encoding, length: body.length }), limit)).toMatchObject(tooLarge)
      expect(yield* read(answerOf(chunked(body, [10, 20]), { encoding }), limit)).toMatchObject(tooLarge)
    }),
  )

  it.scoped.each([
    ["not waited for where its length says that it is larger", 100, 101],
    ["not read on once it is larger, however much is still to come", 3, undefined],
    ["not read on once it is larger, whatever it says of its length", 3, "2"],
    ["not read on once it is larger, where its length is none", 3, "many"],
  ] as const)("is %s", ([, limit, length]) =>
    Effect.gen(function* () {
      const { given, response } = endless()
      const { body } = response()
      const headers: Record<string, string> = length === undefined ? {} : { "content-length": String(length) }
      const service = yield* clientOf(
        fake(() => new Response(body, { headers })),
        { maxBodyBytes: limit, retry: RetryPolicy.none },
      )
      const { at, error } = yield* outcome(
        service.get({ operation: "Thing.read", url: service.url("/thing"), decode: Either.right }),
      )
      expect(error).toMatchObject({ _tag: "BodyTooLarge", limit })
      expect([given.up, at]).toEqual([true, 0])
    }),
  )
})
