/** Bodies that are made and compressed once per state, with entity tags, and in slices, so that other requests are answered meanwhile. */
import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Drawing } from "./Drawing.js"
import type * as State from "./State.js"

/** In milliseconds. */
const slice = 25

/** Brotli is not offered: browsers accept it over TLS only, and a page of 900 KB takes 70 KB with gzip and 55 KB with Brotli. */
type Encoding = "gzip" | "identity"

/** A body in one encoding. All readers share it. */
interface Representation {
  readonly body: () => Buffer | Promise<Buffer>
  /** A strong entity tag (RFC 9110, 8.8.3), which differs between encodings. */
  readonly tag: string
}

type Content = { readonly [E in Encoding]: Representation }

const compress = promisify<Buffer, Buffer>(gzip)

const encode = (body: Buffer, hash: string): Content => {
  let compressed: Promise<Buffer> | undefined
  return {
    identity: { body: () => body, tag: `"${hash}"` },
    gzip: { body: () => (compressed ??= compress(body)), tag: `"${hash}-gzip"` },
  }
}

/** A text in parts, each of which takes a few milliseconds. */
export type Render = (drawing: Drawing) => Iterable<string>

/** Takes the parts in slices. */
const take = async (parts: Iterator<string>, add: (part: string) => void): Promise<void> => {
  const end = performance.now() + slice
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    add(next.value)
    if (performance.now() >= end) return setImmediate().then(() => take(parts, add))
  }
}

/** The parts as one body, and their hash. */
const collect = async (parts: Iterable<string>) => {
  const all: Array<Buffer> = []
  const hash = createHash("sha256")
  await take(parts[Symbol.iterator](), (part) => {
    const bytes = Buffer.from(part)
    all.push(bytes)
    hash.update(bytes)
  })
  return { body: Buffer.concat(all), hash: hash.digest("base64url").slice(0, 27) }
}

/** Remembers the result for the last version. */
export const oncePerVersion = <A>(make: (state: State.State) => A): ((state: State.State) => A) => {
  let last: { readonly version: string; readonly made: A } | undefined
  return (state) => {
    if (last?.version !== state.version) last = { version: state.version, made: make(state) }
    return last.made
  }
}

/** The content of a version. Later ones with the same text share it. What is requested while one is made gets that one. */
export const make = (render: Render, drawingOf: (state: State.State) => Drawing) => {
  let known: { readonly hash: string; readonly content: Content } | undefined
  let last: { readonly version: string; readonly content: Promise<Content> } | undefined
  let isBusy = false
  const renew = async (state: State.State): Promise<Content> => {
    isBusy = true
    try {
      const { body, hash } = await collect(render(drawingOf(state)))
      known = known?.hash === hash ? known : { hash, content: encode(body, hash) }
      return known.content
    } catch (error) {
      last = undefined
      throw error
    } finally {
      isBusy = false
    }
  }
  return (state: State.State): Promise<Content> => {
    if (last === undefined || (!isBusy && last.version !== state.version))
      last = { version: state.version, content: renew(state) }
    return last.content
  }
}

/** The encoding for `Accept-Encoding` (12.5.3). Without the header, clients such as curl do not decompress. */
export const encoding = (acceptEncoding = ""): Encoding =>
  acceptEncoding.split(",").some((one) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one))
    ? "gzip"
    : "identity"

/** Whether `If-None-Match` has the tag (13.1.2). The comparison is weak. */
export const isUnchanged = (tag: string, ifNoneMatch = ""): boolean =>
  ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
