import { describe, expect, it } from "@effect/vitest"
import { Decoder, Link, Origin } from "@vigil/core-http"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { clientOf, fake, ok, outcome, property } from "./fake.js"

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
  [
    "/",
    "//",
    "///",
    "\\",
    "\\\\",
    "/\\",
    "@",
    ":",
    "?",
    "??",
    "#",
    "&",
    "=",
    ".",
    "..",
    "/../",
    "/./",
    "%2e",
    "%2E%2e",
  ],
  ["%", "%2", "%2f", "%5c", "%40", "%00", "%zz", "%2B", "%20", "+", "$", "$skipToken=", ";", ",", "'", '"', "<", ">"],
  ["[", "]", "{", "}", "|", "^", "`", "~", " ", "\t", "\n", "\r", "\u0000", "\u001f", "\u007f", "\u00a0", "\u200b"],
  ["\u202e", "\u3000", "\ufeff", "。", "／", "＠", "％", "ü", "ß", "\ud800", "😀", "é"],
  ["http:", "https:", "HTTPS:", "hTTp://", "https://", "https:/", "https:\\\\", "file:///", "javascript:", "data:,"],
  ["ws://", "ftp://", "blob:https://", "about:blank", "view-source:", "mailto:"],
  [
    "service.example",
    "SERVICE.EXAMPLE",
    "service.example.",
    "service。example",
    "service.example%2e",
    "ſervice.example",
  ],
  ["service.example:443", "service.example:0443", "service.example:", "service.example:8443", ":80", ":65536", ":-1"],
  ["evil.example", "gateway.example", "GATEWAY.example:443", "user@", "user:word@", ":@", "@@", "service.example@"],
  [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.0.0.1:9",
    "127.0.0.1:8080",
    "1.2.3.4.5",
    "256.1.1.1",
  ],
  ["[::1]", "[0:0:0:0:0:0:0:1]", "[::1]:80", "[::ffff:127.0.0.1]", "[::1", "[::g]", "[v1.x]", "[fe80::1%25eth0]"],
  ["bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "xn--", "a", "list", "api-version=1"],
].flat()

const piece = FastCheck.constantFrom(...pieces)

const link = FastCheck.oneof(
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

/** Uses the constructor, because `URL.canParse` of Node 20 rejects Latin-1 hosts once it is optimized. */
const parse = (text: string, from: URL) => {
  try {
    return new URL(text, from)
  } catch {
    return undefined
  }
}

/** The expected reasons to refuse a link, by the URL standard alone. */
const reasons = (text: string, from: URL, trusted: ReadonlyArray<string>): ReadonlySet<string> => {
  const url = parse(text, from)
  if (url === undefined) return new Set(["malformed"])
  const found = new Set<string>()
  if (url.protocol !== "http:" && url.protocol !== "https:") found.add("scheme")
  if (url.username + url.password !== "") found.add("userinfo")
  if (url.origin !== from.origin && !trusted.includes(url.origin)) found.add("origin")
  return found
}

describe("Link.resolve, on arbitrary links", () => {
  it("accepts exactly the URLs of the origin and of trusted origins", () => {
    FastCheck.assert(
      FastCheck.property(base, link, trusted, (base, link, trusted) => {
        const expected = reasons(link, base, trusted)
        const resolved = Link.resolve(base, link, trusted)
        expect(Either.isRight(resolved)).toBe(expected.size === 0)
        if (Either.isLeft(resolved)) expect(expected).toContain(resolved.left.reason)
      }),
    )
  })

  it("returns the URL of the standard without its fragment", () => {
    FastCheck.assert(
      FastCheck.property(base, link, trusted, (base, link, trusted) => {
        const resolved = Link.resolve(base, link, trusted)
        if (Either.isLeft(resolved)) return
        const expected = new URL(link, base)
        expected.hash = ""
        expect(resolved.right).toBe(expected.href)
      }),
    )
  })

  it("never returns a URL outside the origin and the trusted origins, even if the result is parsed again", () => {
    FastCheck.assert(
      FastCheck.property(base, base, link, trusted, (base, other, link, trusted) => {
        const resolved = Link.resolve(base, link, trusted)
        if (Either.isLeft(resolved)) return
        const href = resolved.right
        for (const url of [new URL(href), new URL(href, other)]) {
          expect([base.origin, ...trusted]).toContain(url.origin)
          expect(url.username + url.password + url.hash).toBe("")
          expect(url.href).toBe(href)
        }
        expect(href).not.toContain("#")
        // Valid in a request line and in a header.
        expect(href).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })

  it("is idempotent", () => {
    FastCheck.assert(
      FastCheck.property(base, link, trusted, (base, link, trusted) => {
        const once = Link.resolve(base, link, trusted)
        if (Either.isLeft(once)) return
        expect(Link.resolve(base, once.right, trusted)).toEqual(once)
      }),
    )
  })

  it("keeps only the origins of a refused link", () => {
    FastCheck.assert(
      FastCheck.property(base, link, trusted, (base, link, trusted) => {
        const resolved = Link.resolve(base, `${link}canary-77`, trusted)
        if (Either.isRight(resolved)) return
        const { origin, reason, target, ...rest } = resolved.left
        expect(rest).toEqual({})
        expect(origin).toBe(base.origin)
        expect(target).toBe(reason === "origin" ? parse(`${link}canary-77`, base)?.origin : undefined)
      }),
    )
  })
})

describe("a URL that was parsed thousands of times", () => {
  // `URL.canParse` of Node 20 rejects such a host from about its 5,000th call.
  const times = Array.from({ length: 20_000 })
  const idn = new URL("https://xn--bcher-kva.example/list")

  it("is still accepted as a link with a host that is not ASCII", () => {
    const refused = times.filter(() => Either.isLeft(Link.resolve(idn, "https://b\u00fccher.example/list?page=2")))
    expect(refused).toHaveLength(0)
  })

  it("is still accepted as a base URL with a host that is not ASCII", () => {
    const refused = times.filter(() => Either.isLeft(Origin.parseBase("https://b\u00fccher.example/api")))
    expect(refused).toHaveLength(0)
  })
})

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

describe("Link.resolve, on legal links", () => {
  it("keeps every byte of the path and query of an absolute link", () => {
    FastCheck.assert(
      FastCheck.property(base, legal, (base, legal) => {
        expect(Link.resolve(base, base.origin + legal)).toEqual(Either.right(base.origin + legal))
      }),
    )
  })

  it("keeps every byte of an absolute-path link", () => {
    FastCheck.assert(
      FastCheck.property(
        base,
        legal.filter((legal) => !legal.startsWith("//")),
        (base, legal) => {
          expect(Link.resolve(base, legal)).toEqual(Either.right(base.origin + legal))
        },
      ),
    )
  })

  it("keeps every byte of a query-only link and the path of the request", () => {
    FastCheck.assert(
      FastCheck.property(base, query, (base, query) => {
        expect(Link.resolve(base, `?${query}`)).toEqual(Either.right(`${base.origin}${base.pathname}?${query}`))
      }),
    )
  })

  it("removes only the fragment", () => {
    FastCheck.assert(
      FastCheck.property(base, legal, FastCheck.string(), (base, legal, fragment) => {
        expect(Link.resolve(base, `${base.origin}${legal}#x${fragment}`)).toEqual(Either.right(base.origin + legal))
      }),
    )
  })
})

describe("a client, on arbitrary links", () => {
  const service = (server: ReturnType<typeof fake>) =>
    clientOf(server, { baseUrl: "https://service.example/base", trustedOrigins: ["https://gateway.example"] })

  it.effect("sends legal bytes unchanged", () =>
    property(legal, (legal) =>
      Effect.gen(function* () {
        const server = fake(ok)
        const client = yield* service(server)
        const url = `https://service.example${legal}`
        yield* outcome(client.get({ operation: "Thing.get", url, decode: Decoder.ignore }))
        expect(server.requests.map(({ url }) => url)).toEqual([url])
      }),
    ),
  )

  it.effect("sends requests to trusted origins only, and else fails with LinkRefused", () =>
    property(link, (link) =>
      Effect.gen(function* () {
        const server = fake(ok)
        const client = yield* service(server)
        const { error } = yield* outcome(client.get({ operation: "Thing.get", url: link, decode: Decoder.ignore }))
        const origins = ["https://service.example", "https://gateway.example"]
        for (const { url } of server.requests) expect(origins).toContain(new URL(url).origin)
        expect(server.requests).toHaveLength(error === undefined ? 1 : 0)
        if (error !== undefined) expect(error._tag).toBe("LinkRefused")
      }),
    ),
  )
})
describe("Link.toAbsolute", () => {
  it("returns a URL that is accepted or refused like the link itself", () => {
    FastCheck.assert(
      FastCheck.property(base, link, trusted, (request, link, trusted) => {
        const followed = Link.resolve(request, Link.toAbsolute(request.href, link), trusted)
        expect(followed).toEqual(Link.resolve(request, link, trusted))
      }),
    )
  })

  it("resolves against the trusted origin of a response", () => {
    expect(Link.toAbsolute("https://gateway.example/a/b?c", "d?e")).toBe("https://gateway.example/a/d?e")
    expect(Link.toAbsolute("https://gateway.example/a", "https://service.example/b")).toBe("https://service.example/b")
  })
})

describe("Origin.isExposed", () => {
  it("is true for every http URL with another host than this machine", () => {
    FastCheck.assert(
      FastCheck.property(link, (text) => {
        const url = parse(text, new URL("http://service.example"))
        if (url === undefined) return
        const local = url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d+){3}$/.test(url.hostname)
        expect(Origin.isExposed(url)).toBe(url.protocol === "http:" && !local)
      }),
    )
  })
})
