/**
 * Content codings (RFC 9110, 8.4). What a body is compressed with is told by its first bytes, as fetch leaves the header on
 * what it has decompressed, and the other clients decompress nothing.
 */
import * as Data from "effect/Data"
import * as Stream from "effect/Stream"

/** The body is not what its first bytes promise. */
export class Undecodable extends Data.TaggedError("Undecodable") {}

/** How many codings a body is read through, at most. */
const most = 3

/** How many codings the header names, that say anything. */
export const count = (header: string | undefined): number =>
  header === undefined
    ? 0
    : Math.min(most, header.split(",").filter((name) => !["", "identity"].includes(name.trim().toLowerCase())).length)

/** Encodings that every client decompresses, or that change nothing. */
const common = new Set(["", "identity", "gzip", "x-gzip", "deflate"])

/** Whether a body with this header is decompressed, whatever the HTTP client does. */
export const isDecompressed = (header: string): boolean =>
  header.split(",").every((name) => common.has(name.trim().toLowerCase()))

/** The format of compressed bytes, `undefined` for others. No JSON and no HTML begins like either of them. */
export const formatOf = ([first = 0, second = 0]: Uint8Array): "gzip" | "deflate" | undefined => {
  if (first === 0x1f && second === 0x8b) return "gzip"
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? "deflate" : undefined
}

/** What the bytes stand for, as it is read, and no faster. */
export const decompress = (bytes: Uint8Array, format: "gzip" | "deflate"): Stream.Stream<Uint8Array, Undecodable> =>
  Stream.fromReadableStream({
    // A copy of the view's own part: a shared buffer is none of the stream's business.
    evaluate: () => new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(format)),
    onError: () => new Undecodable(),
  })
