/** Bodies that are too large to be kept: made while they are read. */
import { createGzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const before = new TextEncoder().encode('{"value":[')
const after = new TextEncoder().encode("]}")
const block = new Uint8Array(65_536).fill(0x20)

/** An empty page of so many bytes, of which all but the first and the last few are spaces: `{"value":[ … ]}`. */
export const emptyPage = (size: number): Stream.Stream<Uint8Array> => {
  const padding = Math.max(0, size - before.length - after.length)
  const blocks = Stream.unfold(padding, (left) =>
    left === 0 ? Option.none() : Option.some([block.subarray(0, left), Math.max(0, left - block.length)] as const),
  )
  return Stream.make(before).pipe(Stream.concat(blocks), Stream.concat(Stream.make(after)))
}

/** The bytes, compressed. A gzip that fails has lost its process. */
export const compressed = (body: Stream.Stream<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.orDie(
    NodeStream.pipeThroughDuplex(
      body,
      () => createGzip(),
      (cause) => cause,
    ),
  )
