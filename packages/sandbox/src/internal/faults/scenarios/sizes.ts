/** Bodies that are large, or compressed, or both. */
import * as Reply from "../../../Reply.js"
import { always, event, last } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

const mebibyte = 1_048_576

/** An answer that says it is compressed so. */
const encoded = (reply: Reply.Reply, encoding: string): Reply.Reply => ({
  ...reply,
  headers: { ...reply.headers, "content-encoding": encoding },
})

const cut = (reply: Reply.Reply): Reply.Reply =>
  reply.body instanceof Uint8Array ? { ...reply, body: reply.body.subarray(0, reply.body.length / 2) } : reply

export const sizes = {
  "too-large-chunked": fault(30, "The body has 40 MiB, in chunks.", always(Reply.huge(40 * mebibyte))),
  "too-large-declared": fault(
    30,
    "The body has 40 MiB, and a content-length that says so.",
    always(Reply.huge(40 * mebibyte, { declared: true })),
  ),
  "error-too-large": fault(
    30,
    "The body of an error has 40 MiB, in chunks.",
    always({ ...Reply.huge(40 * mebibyte), status: 400 }),
  ),
  "gzip-bomb": fault(31, "200 KB of gzip, which decompress to 200 MiB.", always(Reply.bomb())),
  "gzip-bomb-twice": fault(
    31,
    "200 MiB, compressed to a thousandth of it, and that again.",
    always(Reply.gzip(Reply.huge(200 * mebibyte), 2)),
  ),
  gzip: fault(32, "The page is compressed by gzip, unasked.", always(Reply.gzip(last))),
  "gzip-twice": fault(32, "The page is compressed by gzip twice, and says so.", always(Reply.gzip(last, 2))),
  "gzip-cut": fault(
    32,
    "The page is compressed by gzip, and its second half is missing.",
    always(cut(Reply.gzip(last))),
  ),
  "gzip-broken": fault(32, "The page says that it is gzip, and is not.", always(encoded(last, "gzip"))),
  "unknown-encoding": fault(32, "The page has an encoding that no one knows.", always(encoded(last, "x-vigil"))),
  "page-of-20-mb": fault(
    33,
    "A page of 20 events of 1 MB each.",
    () => () =>
      Reply.page(Array.from({ length: 20 }, (_, n) => event(`LARGE-${n}`, { summary: "x".repeat(1_000_000) }))),
  ),
} satisfies Readonly<Record<string, Draft>>
