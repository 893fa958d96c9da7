/** The expected entries, outcome and number of requests of a list, for each fault of links, pages and entries. */
import type * as Faults from "@vigil/sandbox/Faults"
import * as Arr from "effect/Array"

/** The rows of the faults that are specific to lists. The tests of core-http have the faults of requests. */
export const rows: ReadonlyArray<number> = [...Arr.range(1, 20), ...Arr.range(34, 36), 43, 49, 50, 61]

interface Details {
  /** Fields of the entries. */
  readonly entries?: ReadonlyArray<object>
  /** Fields of the error, or of its reason. `foreign` is the origin of a server that must receive no request. */
  readonly fields?: object | ((own: string, foreign: string) => object)
  /** The exact target of the second request. */
  readonly second?: string
}

/** The names of the entries, then the tag of the error or of its reason, or `end`; and the number of requests. */
type Expected = readonly [outcome: string, requests: number | undefined, details?: Details]

const twoPages = (second: string): Expected => ["FIRST LAST end", 2, { second }]
const onlyFirst: Expected = ["FIRST end", 1]
const decode = (fields?: object): Expected => ["Decode", 1, { fields: fields ?? {} }]
const status = (status: number): Expected => ["ServiceFailure", 1, { fields: { status } }]
const refused = (problem: string, target?: (own: string, foreign: string) => string): Expected => [
  "FIRST Link",
  1,
  { fields: (own: string, foreign: string) => ({ problem, origin: own, target: target?.(own, foreign) }) },
]

const names = (count: number) => Arr.makeBy(count, (position) => `EVENT-${position}`).join(" ")
const loop = (count: number): Expected => [`${names(count)} PageLoop`, undefined]

const second = "/second?api-version=2025-05-01&$skipToken=2"

/** The expected result of a list with a path, by fault. `invalid` is the tag of its error for an invalid entry. */
export const expected = ({
  invalid,
  path,
}: {
  readonly invalid: string
  readonly path: string
}): Partial<Readonly<Record<Faults.Name, Expected>>> => ({
  "next-link-other-host": refused("origin", (_, foreign) => foreign.replace("127.0.0.1", "localhost")),
  "next-link-other-port": refused("origin", (_, foreign) => foreign),
  "next-link-http": refused("origin", (own) => own.replace("https", "http")),
  "next-link-userinfo": refused("userinfo"),
  // By the URL standard, a path on the same origin.
  "next-link-at-sign": ["FIRST LAST end", 2],
  "next-link-protocol-relative": refused("origin", (_, foreign) => foreign),
  "next-link-backslashes": refused("origin", (_, foreign) => foreign),
  "next-link": twoPages(second),
  "next-link-relative": twoPages(second),
  "next-link-query-only": twoPages(`${path}?$skipToken=2`),
  "next-link-empty": onlyFirst,
  "next-link-null": onlyFirst,
  "next-link-blank": onlyFirst,
  "next-link-loop-self": ["SAME PageLoop", 1, { fields: { pages: 1 } }],
  "next-link-loop-two": loop(3),
  "next-link-loop-long": loop(11),
  "next-link-loop-late": loop(9),
  "next-link-loop-fragment": ["SAME PageLoop", 1],
  "next-link-loop-spelling": ["SAME SAME PageLoop", 2],
  "endless-links": [`${names(50)} PageLimit`, 50, { fields: { allowed: 50 } }],
  "next-link-long": twoPages(`/second?api-version=2025-05-01&$skipToken=2${"x".repeat(9_000)}`),
  "next-link-too-long": ["FIRST ServiceFailure", 2, { fields: { status: 414 } }],
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
  "empty-page-with-link": ["LAST end", 2],
  "last-page-502": ["FIRST ServiceFailure", 5, { fields: { status: 502 } }],
  "last-page-502-once": ["FIRST LAST end", 3, { second }],
  "html-200": decode({ path: "", problem: "is not JSON" }),
  "json-array": decode(),
  "json-number": decode(),
  "json-string": decode(),
  "json-null": decode(),
  "value-not-an-array": decode({ path: "value", problem: "must be an array, not an object" }),
  "value-absent": decode({ path: "value", problem: "is missing" }),
  "error-200": decode({ path: "error", code: "InternalServerError", detail: "It went wrong." }),
  "error-beside-value": decode({ path: "error", code: "InternalServerError", detail: "It went wrong." }),
  "empty-200": decode(),
  "status-202": status(202),
  "status-204": status(204),
  "status-206": status(206),
  "token-expires-mid-list": ["FIRST LAST end", 3, { second }],
  "token-refused-mid-list": ["FIRST Unauthorized", 3, { fields: { status: 401 } }],
  "status-401": ["Unauthorized", 2, { fields: { code: "Status401", detail: "This is status 401." } }],
  nulls: [
    "BEFORE ODD-0 ODD-1 AFTER end",
    1,
    {
      entries: [{}, { id: null, properties: { status: null, priority: null, impact: null } }, { properties: null }, {}],
    },
  ],
  "properties-absent": ["BEFORE ODD AFTER end", 1, { entries: [{}, { id: "/events/ODD", name: "ODD" }, {}] }],
  "not-an-event": [`BEFORE ${invalid}`, 1, { fields: { index: 1, path: "", raw: 42 } }],
  "same-id-twice": ["SAME SAME end", 2],
})
