/** Connections that are not made, break, or say nothing. */
import * as Reply from "../../../Reply.js"
import { always, last } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

export const connections = {
  "connection-refused": { ...fault(24, "Nothing listens any more.", always(last)), stopped: true },
  "tls-untrusted": { ...fault(24, "The certificate is signed by itself.", always(last)), tls: true },
  "reset-before-headers": fault(25, "Every request is answered with a reset.", always(Reply.reset)),
  "reset-before-headers-once": fault(25, "The first request is answered with a reset.", always(Reply.reset, last)),
  "close-before-headers": fault(25, "Every connection is closed without an answer.", always(Reply.raw(""))),
  "reset-in-body": fault(26, "The connection is reset in the middle of every body.", always(Reply.resetWithin(last))),
  "reset-in-body-once": fault(
    26,
    "The connection is reset in the middle of the first body.",
    always(Reply.resetWithin(last), last),
  ),
  "short-body": fault(
    27,
    "The body is shorter than its content-length, and the connection is closed.",
    always(Reply.shortBody(last)),
  ),
  drip: fault(28, "The body is a space a second, without end.", always(Reply.drip())),
  silent: fault(29, "Requests are accepted, and never answered.", always(Reply.silent)),
  "silent-in-headers": fault(
    29,
    "The answer stops in the middle of a header.",
    always({ ...Reply.raw("HTTP/1.1 200 OK\r\ncontent-ty"), end: "hang" }),
  ),
  "silent-in-body": fault(
    29,
    "The answer stops in the middle of its body.",
    always({ ...Reply.resetWithin(last), end: "hang" }),
  ),
} satisfies Readonly<Record<string, Draft>>
