/** The access control of `vigil serve`: its token, and the hosts that it accepts. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import { onePerType } from "@vigil/testing/snapshots"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { send, startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const token = "canary-5f1c.0123456789"

const scene = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const service = yield* serveSubscriptions([Reply.page(onePerType.events)])
    const server = yield* startServer("-s", "x", "--base-url", service.origin, ...args)
    yield* server.idle
    return server
  })

const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString("base64")}`

describe("a server on loopback", () => {
  it.live("serves only requests for its own host names, to prevent DNS rebinding", () =>
    Effect.gen(function* () {
      const { get } = yield* scene()
      const status = (host: string) => Effect.map(get("/events", { headers: { host } }), ({ status }) => status)
      for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:9846", "127.9.9.9", "[::1]", "[::1]:80"])
        expect([host, yield* status(host)]).toEqual([host, 200])
      for (const host of [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:9846",
        "10.0.0.1",
        "x@localhost",
      ])
        expect([host, yield* status(host)]).toEqual([host, 421])
      // The request line may have an absolute URL.
      expect((yield* get("/", { path: "http://evil.example/events" })).status).toBe(421)
    }),
  )
})

describe("a server beyond loopback", () => {
  it.live("requires the token on every path except health probes", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SERVE_TOKEN", token)
      const { url } = yield* scene("--host", "0.0.0.0")
      expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/$/)
      const status = (path: string, authorization?: string) =>
        Effect.map(
          send(new URL(path, url.replace("0.0.0.0", "127.0.0.1")).href, {
            headers: { host: "health.example", ...(authorization === undefined ? {} : { authorization }) },
          }),
          ({ headers, status, text }) => {
            expect(text).not.toContain(token)
            return status === 401 ? [status, headers["www-authenticate"]] : [status]
          },
        )
      const refused = [401, 'Basic realm="vigil", charset="UTF-8", Bearer realm="vigil"']
      for (const path of ["/", "/events", "/metrics", "/calendar.ics", "/nope"])
        expect([path, yield* status(path)]).toEqual([path, refused])
      for (const path of ["/healthz", "/readyz"]) expect(yield* status(path)).toEqual([200])
      for (const wrong of [
        token,
        "Bearer",
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        `Bearer ${token} x`,
        `Digest ${token}`,
        basic("wrong"),
        "Basic !",
      ])
        expect([wrong, yield* status("/events", wrong)]).toEqual([wrong, refused])
      for (const right of [`Bearer ${token}`, `bearer  ${token}`, basic(token)])
        expect(yield* status("/events", right)).toEqual([200])
    }),
  )

  it.live("does not start without a valid token, and never prints it", () =>
    Effect.gen(function* () {
      for (const [value, host, words] of [
        ["", "0.0.0.0", "VIGIL_SERVE_TOKEN"],
        ["", "health.example", "requires a token"],
        ["canary-short", "0.0.0.0", "VIGIL_SERVE_TOKEN is"],
        ["canary with some spaces in it", "127.0.0.1", "VIGIL_SERVE_TOKEN is"],
        [token, "192.0.2.1", "EADDRNOTAVAIL"],
      ] as const) {
        vi.stubEnv("VIGIL_SERVE_TOKEN", value)
        const { code, data, notes } = yield* run(["serve", "--sandbox", "--port", "0", "--host", host])
        expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining(words)] })
        expect(notes.join()).not.toContain("canary")
      }
      expect((yield* run(`serve --sandbox --token ${token}`)).code).toBe(2)
    }),
  )
})
