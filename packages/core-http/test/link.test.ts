/** Links, compared with the URL standard. */
import { expect, it } from "@effect/vitest"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as property from "@vigil/testing/property"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as link from "../src/internal/link.js"

const bases = [
  "https://service.example/subscriptions/s1/events?api-version=1",
  "https://service.example:8443/a/b/",
  "http://127.0.0.1:8080/x?y#z",
  "http://[::1]/",
  "https://xn--bcher-kva.example/list",
  "https://service.example./list",
].map((base) => new URL(base))

const base = FastCheck.constantFrom(...bases)

const trustedOrigins = ["https://gateway.example", "http://127.0.0.1:9"]
const trusted = FastCheck.subarray(trustedOrigins)

/** Parts of malicious and malformed links. */
const pieces = [
  ..."/ // /// \\ \\\\ /\\ @ : ? ?? # & = . .. /../ /./ %2e %2E%2e % %2 %2f %5c %40 %00 %zz %2B %20 + $ ; , ' \" < >".split(
    " ",
  ),
  ..."[ ] { } | ^ ` ~ \u0000 \u001f \u007f \u00a0 \u200b \u202e \u3000 \ufeff 。 ／ ＠ ％ ü ß \ud800 😀 é".split(" "),
  " ",
  "\t",
  "\r\n",
  ..."$skipToken= api-version=1 a list".split(" "),
  ..."http: https: HTTPS: hTTp:// https:// https:/ https:\\\\ file:/// javascript: data:, ws:// ftp://".split(" "),
  ..."blob:https:// about:blank view-source: mailto:".split(" "),
  ..."service.example SERVICE.EXAMPLE service.example. service。example service.example%2e ſervice.example".split(" "),
  ..."service.example:443 service.example:0443 service.example: service.example:8443 :80 :65536 :-1".split(" "),
  ..."evil.example gateway.example GATEWAY.example:443 user@ user:word@ :@ @@ service.example@".split(" "),
  ..."127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1:9 127.0.0.1:8080 1.2.3.4.5 256.1.1.1".split(" "),
  ..."[::1] [0:0:0:0:0:0:0:1] [::1]:80 [::ffff:127.0.0.1] [::1 [::g] [v1.x] [fe80::1%25eth0]".split(" "),
  ..."bücher.example BÜCHER.example xn--bcher-kva.example xn--".split(" "),
]

const piece = FastCheck.constantFrom(...pieces)

const text = FastCheck.oneof(
  FastCheck.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  FastCheck.array(FastCheck.oneof(piece, FastCheck.string({ unit: CodePoint.arbitrary, maxLength: 4 })), {
    maxLength: 6,
  }).map((pieces) => pieces.join("")),
  FastCheck.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ["http", "https", "ftp"] }),
  FastCheck.string({ unit: CodePoint.arbitrary }),
  FastCheck.string({ unit: "grapheme" }),
  // The right origin, with a suffix.
  FastCheck.tuple(FastCheck.constantFrom(...bases.map(({ origin }) => origin), ...trustedOrigins), piece, piece).map(
    (parts) => parts.join(""),
  ),
)

/** The expected reasons to refuse a link, by the URL standard alone. */
const reasons = (text: string, from: URL, trusted: ReadonlyArray<string>): ReadonlySet<string> => {
  const url = URL.parse(text, from.href)
  if (url === null) return new Set(["malformed"])
  const found = new Set<string>()
  if (url.protocol !== "http:" && url.protocol !== "https:") found.add("scheme")
  if (url.username + url.password !== "") found.add("userinfo")
  if (url.origin !== from.origin && !trusted.includes(url.origin)) found.add("origin")
  return found
}

property.sync(
  "a link resolves to exactly the URLs of the origin and of trusted origins, by the standard, without their fragment",
  [base, text, trusted],
  ([base, text, trusted]) => {
    const expected = reasons(text, base, trusted)
    const resolved = link.resolve(base, text, trusted)
    expect(Result.isSuccess(resolved)).toBe(expected.size === 0)
    if (Result.isFailure(resolved)) {
      expect(expected).toContain(resolved.failure.problem)
      return
    }
    const url = new URL(text, base)
    url.hash = ""
    expect(resolved.success.href).toBe(url.href)
    // Valid in a request line and in a header.
    expect(resolved.success.href).toMatch(/^[\x21-\x7e]+$/)
  },
)

const hex = FastCheck.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, "0"))
const encoded = FastCheck.tuple(hex, FastCheck.boolean()).map(([hex, upper]) => `%${upper ? hex.toUpperCase() : hex}`)

const letters = [..."abcXYZ0189-._~!$&()*+,;=:@"]

/** The path segments of RFC 3986, without dot segments. */
const segment = FastCheck.array(FastCheck.oneof(FastCheck.constantFrom(...letters, "'"), encoded), { maxLength: 8 })
  .map((parts) => parts.join(""))
  .filter((segment) => !/^(\.|%2e){1,2}$/i.test(segment))

/** The queries of RFC 3986, without the quote, which the URL standard encodes. */
const query = FastCheck.array(
  FastCheck.oneof(FastCheck.constantFrom(...letters, "/", "?", "$skipToken=", "??"), encoded),
  { minLength: 1, maxLength: 12 },
).map((parts) => parts.join(""))

/** A path with an optional query, of legal characters only. */
const legal = FastCheck.tuple(
  FastCheck.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
  FastCheck.option(query, { nil: undefined }).map((query) => (query === undefined ? "" : `?${query}`)),
).map(([path, query]) => path + query)

const hrefOf = (base: URL, text: string) => Result.map(link.resolve(base, text, []), ({ href }) => href)

property.sync(
  "every byte of the path and query of a legal link is kept, whether it is absolute or relative",
  [base, legal, query],
  ([base, legal, query]) => {
    expect(hrefOf(base, base.origin + legal)).toEqual(Result.succeed(base.origin + legal))
    if (!legal.startsWith("//")) expect(hrefOf(base, legal)).toEqual(Result.succeed(base.origin + legal))
    expect(hrefOf(base, `?${query}`)).toEqual(Result.succeed(`${base.origin}${base.pathname}?${query}`))
  },
)

it("only the origin of a refused link is kept", () => {
  expect(hrefOf(new URL("https://service.example/a"), "https://evil.example/a?$skipToken=canary-77")).toEqual(
    Result.fail({ problem: "origin", origin: "https://service.example", target: "https://evil.example" }),
  )
})
