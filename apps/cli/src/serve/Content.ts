/** Bodies that are made and compressed once per state, with entity tags. */
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import type * as State from "./State.js"

/** Remembers the result for the last state. */
export const oncePerState = <A>(make: (state: State.State) => A): ((state: State.State) => A) => {
  let last: { readonly state: State.State; readonly made: A } | undefined
  return (state) => (last?.state === state ? last : (last = { state, made: make(state) })).made
}

/** Brotli is not offered: browsers accept it over TLS only, and a page of 900 KB takes 70 KB with gzip and 55 KB with Brotli. */
type Encoding = "gzip" | "identity"

/** A body in one encoding. All readers share it. */
interface Representation {
  readonly body: () => Buffer
  /** A strong entity tag (RFC 9110, 8.8.3), which differs between encodings. */
  readonly tag: string
}

type Content = { readonly [E in Encoding]: Representation }

const encode = (body: Buffer, hash: string): Content => {
  let compressed: Buffer | undefined
  return {
    identity: { body: () => body, tag: `"${hash}"` },
    gzip: { body: () => (compressed ??= gzipSync(body)), tag: `"${hash}-gzip"` },
  }
}

export type Render = (snapshot: Snapshot, state: State.State) => string

/** The content of the last snapshot. Later states with the same text share it. */
export const make = (render: Render, snapshotOf: typeof State.snapshot) => {
  let known: { readonly hash: string; readonly content: Content } | undefined
  return oncePerState((state): Content | undefined => {
    const snapshot = snapshotOf(state)
    if (snapshot === undefined) return undefined
    const body = Buffer.from(render(snapshot, state))
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27)
    known = known?.hash === hash ? known : { hash, content: encode(body, hash) }
    return known.content
  })
}

/** The encoding for `Accept-Encoding` (12.5.3). Without the header, clients such as curl do not decompress. */
export const encoding = (acceptEncoding = ""): Encoding =>
  acceptEncoding.split(",").some((one) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one))
    ? "gzip"
    : "identity"

/** Whether `If-None-Match` has the tag (13.1.2). The comparison is weak. */
export const isUnchanged = (tag: string, ifNoneMatch = ""): boolean =>
  ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
