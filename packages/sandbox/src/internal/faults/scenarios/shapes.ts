/** Answers with a success status that are no page, or hardly one. */
import * as Reply from "../../../Reply.js"
import { always, event, jsonText, last } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

/** A page with one event, which has these members besides. */
const withMembers = (members: string): Reply.Reply =>
  jsonText(`{"value":[{"name":"ODD",${members},"properties":{"title":"The event ODD"}}]}`)

/** A page with one event, which has these properties. */
const withProperties = (properties: string): Reply.Reply =>
  jsonText(`{"value":[{"name":"ODD","properties":{"title":"The event ODD",${properties}}}]}`)

const prefixed = (prefix: string, reply: Reply.Reply): Reply.Reply => ({
  ...reply,
  body: reply.body instanceof Uint8Array ? Buffer.concat([Buffer.from(prefix), reply.body]) : reply.body,
})

const invalid = Buffer.concat([
  Buffer.from(`{"value":[{"name":"ODD","properties":{"title":"caf`),
  Buffer.from([0xe9, 0xff, 0xc0, 0x80]),
  Buffer.from(`"}}]}`),
])

const depth = 10_000

export const shapes = {
  "html-200": fault(
    34,
    "A page of HTML, with status 200.",
    always(Reply.text("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } })),
  ),
  "json-array": fault(34, "A JSON array in place of a page.", always(Reply.json([event("BARE")]))),
  "json-number": fault(34, "A JSON number in place of a page.", always(Reply.json(42))),
  "json-string": fault(34, "A JSON string in place of a page.", always(Reply.json("value"))),
  "json-null": fault(34, "JSON null in place of a page.", always(Reply.json(null))),
  "value-not-an-array": fault(34, "The value of the page is an object.", always(Reply.json({ value: {} }))),
  "value-absent": fault(34, "The page has no value.", always(Reply.json({}))),
  "error-200": fault(
    34,
    "An error, with status 200.",
    always(Reply.json({ error: { code: "InternalServerError", message: "It went wrong." } })),
  ),
  "empty-200": fault(35, "No body, with status 200.", always(Reply.empty(200))),
  "status-202": fault(36, "Status 202, with a page that is not ready.", always(Reply.json({}, { status: 202 }))),
  "status-204": fault(36, "Status 204, without a body.", always(Reply.empty(204))),
  "status-206": fault(36, "Status 206, with a page.", always({ ...last, status: 206 })),
  bom: fault(37, "The page begins with a byte order mark.", always(prefixed("\ufeff", last))),
  "invalid-utf-8": fault(
    38,
    "A text of the page is not valid UTF-8.",
    always(Reply.bytes(invalid, { headers: { "content-type": "application/json" } })),
  ),
  "deep-json": fault(
    39,
    "The page is nested 10,000 deep.",
    always(withProperties(`"deep":${"[".repeat(depth)}${"]".repeat(depth)}`)),
  ),
  "proto-keys": fault(
    40,
    "An event has the keys `__proto__` and `constructor`.",
    always(withMembers(`"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`)),
  ),
  "odd-numbers": fault(
    41,
    "An event has a priority of 24, a duration of 1.5, huge integers, 1e400 and a key that comes twice.",
    always(
      withProperties(
        `"priority":24,"duration":1.5,"hirStage":1,"hirStage":2,"large":123456789012345678901234567890,"endless":1e400`,
      ),
    ),
  ),
} satisfies Readonly<Record<string, Draft>>
