/** What a client receives from named faults. */
import { describe, expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { ask } from "./client.js"

interface Body {
  readonly value?: ReadonlyArray<{ readonly name: string; readonly properties: Readonly<Record<string, unknown>> }>
  readonly nextLink?: string
  readonly code?: string
  readonly message?: string
}

const parse = ({ body }: { readonly body: string }) => JSON.parse(body) as Body

/** The status of a response, and the names of its events or the code of its error. */
const brief = (response: { readonly status: number; readonly body: string }): string => {
  const { code, value } = parse(response)
  return `${response.status} ${code ?? value?.map(({ name }) => name).join(" ")}`
}

/** The responses of a fault to paths, one after the other. */
const request = (name: Faults.Name, ...paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { server } = yield* Faults.start(name)
    return yield* Effect.forEach(paths, (path) => ask(`${server.origin}${path}`))
  })

describe("an error of a named fault", () => {
  it.effect.each([
    ["retry-after-seconds", "429 TooManyRequests", "2"],
    ["retry-after-zero", "429 TooManyRequests", "0"],
    // The TestClock starts at 1970-01-01T00:00:00Z.
    ["retry-after-past", "429 TooManyRequests", "Wed, 31 Dec 1969 23:00:00 GMT"],
    ["retry-after-negative", "429 TooManyRequests", "-1"],
    ["retry-after-text", "429 TooManyRequests", "abc"],
    ["retry-after-ten-years", "429 TooManyRequests", "315360000"],
    ["retry-after-absent", "429 TooManyRequests", null],
    ["retry-after-503", "503 ServiceUnavailable", "2"],
    ["retry-after-503-absent", "503 ServiceUnavailable", null],
  ] as const)("%s: the first response is %s with Retry-After %s, the others are pages", ([name, error, retryAfter]) =>
    Effect.gen(function* () {
      const responses = yield* request(name, "/", "/", "/")
      expect(responses.map(brief)).toEqual([error, "200 LAST", "200 LAST"])
      expect(responses[0]?.headers.get("retry-after")).toBe(retryAfter)
      expect(responses[0]?.body).toContain(`"Slow down."`)
    }),
  )

  it.effect.each(["authorization", "x-api-token"])(
    "is a 401 after the first page, until the header %s changes",
    (header) =>
      Effect.gen(function* () {
        const { server } = yield* Faults.start("token-expires-mid-list")
        const responses = yield* Effect.forEach(["old", "old", "new"], (value) =>
          ask(server.origin, { headers: { [header]: value } }),
        )
        expect(responses.map(brief)).toEqual(["200 FIRST", "401 ExpiredAuthenticationToken", "200 LAST"])
        expect(responses[1]?.headers.get("www-authenticate")).toBe("Bearer")
      }),
  )
})

describe("a link of a named fault", () => {
  /** The link of the first page, with placeholders such as `{own}` for the origins, hosts and ports of both servers. */
  const linkOf = (name: Faults.Name) =>
    Effect.gen(function* () {
      const { foreign, server } = yield* Faults.start(name)
      const { nextLink = "" } = parse(yield* ask(server.origin))
      const [own, other] = [server.origin, foreign.origin].map((origin) => new URL(origin))
      return nextLink
        .replace(server.origin, "{own}")
        .replace(foreign.origin, "{foreign}")
        .replace(other?.host ?? "", "{foreign.host}")
        .replace(own?.port ?? "", "{own.port}")
        .replace(other?.port ?? "", "{foreign.port}")
    })

  it.effect.each([
    ["next-link", "{own}/second?api-version=2025-05-01&$skipToken=2"],
    ["next-link-relative", "/second?api-version=2025-05-01&$skipToken=2"],
    ["next-link-other-host", "http://localhost:{foreign.port}/page?$skipToken=2"],
    ["next-link-other-port", "{foreign}/page?$skipToken=2"],
    ["next-link-userinfo", "{own}@{foreign.host}/page?$skipToken=2"],
    ["next-link-host-in-hex", "http://0x7f.1:{own.port}/second?$skipToken=2"],
  ] as const)("%s is %s", ([name, link]) => Effect.map(linkOf(name), (found) => expect(found).toBe(link)))

  it.effect.each([
    ["next-link", ["200 FIRST", "200 LAST", "200 LAST"]],
    ["empty-page-with-link", ["200 ", "200 LAST", "200 LAST"]],
    ["last-page-502", ["200 FIRST", "502 BadGateway", "502 BadGateway"]],
    ["last-page-502-once", ["200 FIRST", "502 BadGateway", "200 LAST"]],
    ["same-id-twice", ["200 SAME", "200 SAME", "200 SAME"]],
    ["next-link-loop-self", ["200 SAME", "200 SAME", "200 SAME"]],
  ] as const)("%s leads to these responses: %j", ([name, expected]) =>
    Effect.map(request(name, "/", "/second", "/second"), (responses) => expect(responses.map(brief)).toEqual(expected)),
  )

  it.effect("that is longer than 8 KB is too long for the service", () =>
    Effect.gen(function* () {
      const { server } = yield* Faults.start("next-link-too-long")
      const first = yield* ask(server.origin)
      const { nextLink = "" } = parse(first)
      expect(nextLink.length).toBeGreaterThan(9_000)
      const second = yield* ask(nextLink)
      expect([first, second].map(brief)).toEqual(["200 FIRST", "414 UriTooLong"])
      expect(parse(second).message).toBe("The URL is too long.")
      const longest = "x".repeat(8_191)
      expect(yield* Effect.map(ask(`${server.origin}/${longest}`), brief)).toBe("200 FIRST")
      expect(yield* Effect.map(ask(`${server.origin}/${longest}x`), brief)).toBe("414 UriTooLong")
    }),
  )
})
