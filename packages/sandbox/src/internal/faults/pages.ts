/** Faults of responses with a success status: bodies that are not a page, unusual JSON, and unusual or invalid events. */
import * as Reply from "../../Reply.js"
import { event, type Fault, type Faults, last, replies } from "./fault.js"

const json = (body: string | Uint8Array): Reply.Reply =>
  Reply.bytes(Buffer.from(body), { headers: { "content-type": "application/json" } })

const withMembers = (members: string): Reply.Reply =>
  json(`{"value":[{"name":"ODD",${members},"properties":{"title":"The event ODD"}}]}`)
const withProperties = (properties: string): Reply.Reply =>
  json(`{"value":[{"name":"ODD","properties":{"title":"The event ODD",${properties}}}]}`)

const html = Reply.text("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } })
const internalError = { error: { code: "InternalServerError", message: "It went wrong." } }
const lastBytes = last.body instanceof Uint8Array ? last.body : new Uint8Array()
const withMark = Buffer.concat([Buffer.from("\ufeff"), lastBytes])
const notUtf8 = Buffer.from(`{"value":[{"name":"ODD","properties":{"title":"caf\xe9\xff\xc0\x80"}}]}`, "latin1")
const nesting = `"deep":${"[".repeat(10_000)}${"]".repeat(10_000)}`
const pollution = `"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`
const oddNumbers = `"priority":24,"duration":1.5,"hirStage":1,"hirStage":2,"large":123456789012345678901234567890,"endless":1e400`

export const shapes = {
  "html-200": replies(34, "An HTML page, with status 200.", html),
  "json-array": replies(34, "A JSON array instead of a page.", Reply.json([event("BARE")])),
  "json-number": replies(34, "A JSON number instead of a page.", Reply.json(42)),
  "json-string": replies(34, "A JSON string instead of a page.", Reply.json("value")),
  "json-null": replies(34, "JSON null instead of a page.", Reply.json(null)),
  "value-not-an-array": replies(34, "The value of the page is an object.", Reply.json({ value: {} })),
  "value-absent": replies(34, "The page has no value.", Reply.json({})),
  "error-200": replies(34, "An error, with status 200.", Reply.json(internalError)),
  "error-beside-value": replies(
    61,
    "A page with an error beside its value.",
    Reply.json({ value: [event("LAST")], ...internalError }),
  ),
  "empty-200": replies(35, "Status 200, without a body.", Reply.empty(200)),
  "status-202": replies(36, "Status 202, with an empty object.", Reply.json({}, { status: 202 })),
  "status-204": replies(36, "Status 204, without a body.", Reply.empty(204)),
  "status-206": replies(36, "Status 206, with a page.", { ...last, status: 206 }),
  bom: replies(37, "The page starts with a byte order mark.", json(withMark)),
  "invalid-utf-8": replies(38, "A string of the page is not valid UTF-8.", json(notUtf8)),
  "deep-json": replies(39, "The page is nested 10,000 deep.", withProperties(nesting)),
  "proto-keys": replies(40, "An event has the keys `__proto__` and `constructor`.", withMembers(pollution)),
  "odd-numbers": replies(41, "Numbers out of range, and a duplicate key.", withProperties(oddNumbers)),
} satisfies Faults

const entries = (row: number, description: string, ...values: ReadonlyArray<unknown>): Fault =>
  replies(row, description, Reply.page([event("BEFORE"), ...values, event("AFTER")]))

const withEach = (row: number, description: string, ...properties: ReadonlyArray<object>): Fault =>
  entries(row, description, ...properties.map((some, index) => event(`ODD-${index}`, some)))

const hostile = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "\u001b[2J\u001b[1;1H\u009b31m",
  "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
  "good\r\u0008\u0008\u0008\u0008bad",
  "\u202egnp.exe\u202c\u2066\u2069",
  "zero\u200b\u200d\ufeffwidth",
  "lone \ud800 surrogate \udc00",
]

const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]

const oddDates = [
  "0001-01-01T00:00:00",
  "2025-06-01T10:00:00",
  "2025-06-01T10:00:00.1234567Z",
  "",
  "2025-02-30T00:00:00Z",
]

const fields =
  "eventType eventSource status title summary level priority impactStartTime impactMitigationTime lastUpdateTime impact links article recommendedActions faqs platformInitiated"

const nulls = Object.fromEntries(fields.split(" ").map((name) => [name, null]))

export const events = {
  "odd-dates": withEach(
    46,
    "Dates of year 1, without a zone, empty, or that do not exist.",
    ...oddDates.map((impactStartTime) => ({ impactStartTime })),
  ),
  "invalid-dates": withEach(
    46,
    "Dates in another format, or a number.",
    { impactStartTime: "7/24/2020" },
    { impactStartTime: 1_748_772_000_000 },
  ),
  "odd-mitigation": withEach(
    47,
    "A mitigation before the start, and a resolved event without a mitigation.",
    { status: "Resolved", impactMitigationTime: "2025-05-31T10:00:00Z" },
    { status: "Resolved" },
  ),
  "unknown-enums": withEach(
    48,
    "Enumeration values that are unknown, or in another letter case.",
    { eventType: "Prophecy", status: "Simmering", level: "Cosmic", eventSource: "Elsewhere" },
    { eventType: "serviceissue", status: "ACTIVE", level: "warning", eventSource: "resourcehealth" },
  ),
  nulls: entries(
    49,
    "Null instead of the fields of an event, or of its properties.",
    { id: null, name: "ODD-0", type: null, properties: nulls },
    { ...event("ODD-1"), properties: null },
  ),
  "properties-absent": entries(49, "An event without properties.", { id: "/events/ODD", name: "ODD" }),
  "not-an-event": entries(49, "Entries that are a number, a string, null or an array.", 42, "x", null, []),
  "hostile-text": withEach(
    51,
    "Texts with scripts, control characters, overrides and surrogates.",
    ...hostile.map((title) => ({ title, summary: title })),
  ),
  "odd-statuses": withEach(
    48,
    "Statuses of resources with an unknown state, a state in another letter case, unusual times, or null fields.",
    { availabilityState: "Sleeping", reasonType: "Elsewhere", occuredTime: "0001-01-01T00:00:00", reportedTime: "" },
    { availabilityState: "unavailable", reasonChronicity: null, recentlyResolved: null, recommendedActions: null },
  ),
  "invalid-statuses": withEach(
    46,
    "Statuses of resources with a state that is a number, or a time in another format.",
    { availabilityState: 7 },
    { occuredTime: "7/24/2020" },
  ),
  "formula-text": withEach(52, "Texts that spreadsheets read as formulas.", ...formulas.map((title) => ({ title }))),
} satisfies Faults
