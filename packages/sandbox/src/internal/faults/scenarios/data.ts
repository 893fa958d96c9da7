/** Pages whose events are odd, and events that are none. */
import * as Reply from "../../../Reply.js"
import { always, event } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

/** A page on which the odd events stand between two that are as they should be. */
const among = (...odd: ReadonlyArray<unknown>): Draft["script"] =>
  always(Reply.page([event("BEFORE"), ...odd, event("AFTER")]))

/** An event for each of the times that it starts at. */
const startingAt = (...times: ReadonlyArray<unknown>): Draft["script"] =>
  among(...times.map((impactStartTime, index) => event(`ODD-${index}`, { impactStartTime })))

/** Texts that move a cursor, run, hide, or are no text. */
const hostile = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "\u001b[2J\u001b[1;1H\u009b31m",
  "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
  "good\r\u0008\u0008\u0008\u0008bad",
  "\u202egnp.exe\u202c\u2066\u2069",
  "zero\u200b\u200d\ufeffwidth",
  "lone \ud800 surrogate \udc00",
]

const nullFields = [
  "eventType",
  "eventSource",
  "status",
  "title",
  "summary",
  "level",
  "priority",
  "impactStartTime",
  "impactMitigationTime",
  "lastUpdateTime",
  "impact",
  "links",
  "article",
  "recommendedActions",
  "faqs",
  "platformInitiated",
]

export const data = {
  "odd-dates": fault(
    46,
    "Dates of year 1, without a zone, with seven digits of a second, empty, and of no such day.",
    startingAt(
      "0001-01-01T00:00:00",
      "2025-06-01T10:00:00",
      "2025-06-01T10:00:00.1234567Z",
      "",
      "2025-02-30T00:00:00Z",
    ),
  ),
  "invalid-dates": fault(46, "Dates that are 7/24/2020 and a number.", startingAt("7/24/2020", 1_748_772_000_000)),
  "odd-mitigation": fault(
    47,
    "An event mitigated before it started, and one resolved that never was mitigated.",
    among(
      event("ODD-0", { status: "Resolved", impactMitigationTime: "2025-05-31T10:00:00Z" }),
      event("ODD-1", { status: "Resolved" }),
    ),
  ),
  "unknown-enums": fault(
    48,
    "Values of enumerations that no document lists, or in another case.",
    among(
      event("ODD-0", { eventType: "Prophecy", status: "Simmering", level: "Cosmic", eventSource: "Elsewhere" }),
      event("ODD-1", { eventType: "serviceissue", status: "ACTIVE", level: "warning", eventSource: "resourcehealth" }),
    ),
  ),
  nulls: fault(
    49,
    "Null in place of every field of an event, and of its properties.",
    among(
      { id: null, name: "ODD-0", type: null, properties: Object.fromEntries(nullFields.map((name) => [name, null])) },
      { ...event("ODD-1"), properties: null },
    ),
  ),
  "properties-absent": fault(49, "An event without properties.", among({ id: "/events/ODD", name: "ODD" })),
  "not-an-event": fault(49, "Events that are 42, a text, null and a list.", among(42, "x", null, [])),
  "hostile-text": fault(
    51,
    "Texts with scripts, control sequences, bidirectional overrides and lone surrogates.",
    among(...hostile.map((title, index) => event(`ODD-${index}`, { title, summary: title }))),
  ),
  "formula-text": fault(
    52,
    "Texts that a spreadsheet reads as formulas.",
    among(...["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"].map((title, index) => event(`ODD-${index}`, { title }))),
  ),
} satisfies Readonly<Record<string, Draft>>
