/** The expected events, outcome and number of requests of a list, for each fault of links, pages and entries. */
import type { RequestError } from "@vigil/core-http"
import type { Listing } from "@vigil/health-client"
import type { Faults } from "@vigil/sandbox"
import * as Arr from "effect/Array"

/** The rows of the fault list that are specific to lists. The tests of core-http have the other ones of requests. */
export const rows: ReadonlyArray<number> = [...Arr.range(1, 20), ...Arr.range(34, 36), 43, 49, 50]

/** The tag of an error, that of its reason if it is a `RequestError`, or `end`. */
export type Outcome = Exclude<Listing.ListError["_tag"], "RequestError"> | RequestError.RequestReason["_tag"] | "end"

/** The origins of the service, and of a server that must receive no request. */
interface Origins {
  readonly own: string
  readonly foreign: string
}

interface Expected {
  /** The names of the events, in order. For a loop, those before the first repetition. */
  readonly delivered: ReadonlyArray<string>
  readonly outcome: Outcome
  /** The number of requests; omitted if only an upper bound is known. */
  readonly requests?: number
  /** Fields of the events. */
  readonly events?: ReadonlyArray<object>
  /** Fields of the error, or of its reason. */
  readonly fields?: (origins: Origins) => object
  /** The exact target of the second request. */
  readonly second?: string
}

const atOnce = (outcome: Outcome, fields?: object): Expected => ({
  delivered: [],
  outcome,
  requests: 1,
  ...(fields === undefined ? {} : { fields: () => fields }),
})

const twoPages = (second: string): Expected => ({
  delivered: ["FIRST", "LAST"],
  outcome: "end",
  requests: 2,
  second,
})

const onlyFirst: Expected = { delivered: ["FIRST"], outcome: "end", requests: 1 }

const refused = (problem: string, target: (origins: Origins) => string | undefined = () => undefined): Expected => ({
  ...onlyFirst,
  outcome: "Link",
  fields: (origins) => ({ problem, origin: origins.own, target: target(origins) }),
})

/** A list with a loop after this number of events. */
const loop = (positions: number): Expected => ({
  delivered: Arr.makeBy(positions, (position) => `EVENT-${position}`),
  outcome: "PageLoop",
})

const odd = (...names: ReadonlyArray<string>): Expected => ({
  delivered: ["BEFORE", ...names, "AFTER"],
  outcome: "end",
  requests: 1,
})

const second = "/second?api-version=2025-05-01&$skipToken=2"

/** The expected result of `listBySubscription`, by fault. */
export const expected: Partial<Readonly<Record<Faults.Name, Expected>>> = {
  "next-link-other-host": refused("origin", ({ foreign }) => foreign.replace("127.0.0.1", "localhost")),
  "next-link-other-port": refused("origin", ({ foreign }) => foreign),
  "next-link-http": refused("origin", ({ own }) => own.replace("https", "http")),
  "next-link-userinfo": refused("userinfo"),
  // By the URL standard, a path on the same origin.
  "next-link-at-sign": { delivered: ["FIRST", "LAST"], outcome: "end", requests: 2 },
  "next-link-protocol-relative": refused("origin", ({ foreign }) => foreign),
  "next-link-backslashes": refused("origin", ({ foreign }) => foreign),
  "next-link": twoPages(second),
  "next-link-relative": twoPages(second),
  "next-link-query-only": twoPages("/subscriptions/s1/providers/Vendor.ResourceHealth/events?$skipToken=2"),
  "next-link-empty": onlyFirst,
  "next-link-null": onlyFirst,
  "next-link-blank": onlyFirst,
  "next-link-loop-self": { delivered: ["SAME"], outcome: "PageLoop", requests: 1, fields: () => ({ pages: 1 }) },
  "next-link-loop-two": loop(3),
  "next-link-loop-long": loop(11),
  "next-link-loop-late": loop(9),
  "endless-links": {
    delivered: Arr.makeBy(50, (position) => `EVENT-${position}`),
    outcome: "PageLimit",
    requests: 50,
    fields: () => ({ allowed: 50 }),
  },
  "next-link-long": twoPages(`/second?api-version=2025-05-01&$skipToken=2${"x".repeat(9_000)}`),
  "next-link-too-long": { ...atOnce("ServiceFailure", { status: 414 }), delivered: ["FIRST"], requests: 2 },
  "next-link-malformed": refused("malformed"),
  "next-link-file": refused("scheme"),
  "next-link-javascript": refused("scheme"),
  "next-link-data": refused("scheme"),
  "next-link-host-in-hex": twoPages("/second?$skipToken=2"),
  "next-link-trailing-dot": twoPages("/second?$skipToken=2"),
  "next-link-upper-case": twoPages("/second?$skipToken=2"),
  "next-link-odd-bytes": twoPages("/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D"),
  "next-link-illegal-bytes": twoPages("/second?$filter=name%20eq%20%27Z%C3%BCrich%27&$skipToken=2"),
  "next-link-api-version": twoPages("/second?api-version=2025-04-01&$skipToken=2"),
  "empty-page-with-link": { delivered: ["LAST"], outcome: "end", requests: 2 },
  "last-page-502": { ...atOnce("ServiceFailure", { status: 502 }), delivered: ["FIRST"], requests: 5 },
  "last-page-502-once": { ...twoPages(second), requests: 3 },
  "html-200": atOnce("Decode", { path: "", problem: "is not JSON" }),
  "json-array": atOnce("Decode"),
  "json-number": atOnce("Decode"),
  "json-string": atOnce("Decode"),
  "json-null": atOnce("Decode"),
  "value-not-an-array": atOnce("Decode", { path: "value", problem: "must be an array, not an object" }),
  "value-absent": atOnce("Decode", { path: "value", problem: "is missing" }),
  "error-200": atOnce("Decode", { path: "value", problem: "is missing" }),
  "empty-200": atOnce("Decode"),
  "status-202": atOnce("ServiceFailure", { status: 202 }),
  "status-204": atOnce("ServiceFailure", { status: 204 }),
  "status-206": atOnce("ServiceFailure", { status: 206 }),
  "token-expires-mid-list": { ...twoPages(second), requests: 3 },
  "token-refused-mid-list": { ...atOnce("Unauthorized", { status: 401 }), delivered: ["FIRST"], requests: 3 },
  "status-401": { ...atOnce("Unauthorized", { code: "Status401", detail: "This is status 401." }), requests: 2 },
  nulls: {
    ...odd("ODD-0", "ODD-1"),
    events: [{}, { id: null, properties: { status: null, priority: null, impact: null } }, { properties: null }, {}],
  },
  "properties-absent": { ...odd("ODD"), events: [{}, { id: "/events/ODD", name: "ODD" }, {}] },
  "not-an-event": {
    delivered: ["BEFORE"],
    outcome: "InvalidEvent",
    requests: 1,
    fields: () => ({ index: 1, path: "", raw: 42 }),
  },
  "same-id-twice": { delivered: ["SAME", "SAME"], outcome: "end", requests: 2 },
}
