/** `vigil serve`: its paths, its state between polls, and its exit codes. */
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import { onePerType } from "@vigil/testing/snapshots"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import * as Server from "../../src/listen/Server.js"
import * as Readiness from "../../src/serve/Readiness.js"
import type * as State from "../../src/serve/State.js"
import { Output } from "../../src/output/Output.js"
import { collectNotes } from "../support/notes.js"
import { run } from "../support/run.js"
import { firstState, handlerOf, send, startServer, stateAfter } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Runs `vigil serve` for a service that sends these responses in order. The clock starts at the time of the events. */
const scene = (...replies: ReadonlyArray<Reply.Reply | Effect.Effect<Reply.Reply>>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(onePerType.now)
    const service = yield* serveSubscriptions(replies)
    return yield* startServer("-s", "x", "--base-url", service.origin)
  })

const world = Reply.page(onePerType.events)

const listenOptions = { host: "127.0.0.1", port: 0, maxConnections: 10 }

const paths = ["/", "/events", "/calendar.ics"] as const

describe("serve", () => {
  it.effect("serves each path with its content type, and lets no cache answer for it", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      const [revalidate, never] = ["private, no-cache", "no-store"]
      for (const [path, type, caching, status = 200] of [
        ["/", "text/html; charset=utf-8", revalidate],
        ["/events", "application/json", revalidate],
        ["/calendar.ics", "text/calendar; charset=utf-8", revalidate],
        ["/nope", "text/plain; charset=utf-8", revalidate, 404],
        ["/metrics", "text/plain; version=0.0.4; charset=utf-8", never],
        ["/healthz", "text/plain; charset=utf-8", never],
        ["/readyz", "text/plain; charset=utf-8", never],
      ] as const) {
        const { headers, text, ...response } = yield* get(path, { method: "HEAD" })
        expect([path, response.status, headers["content-type"], headers["cache-control"], text]).toEqual([
          path,
          status,
          type,
          caching,
          "",
        ])
      }
    }),
  )

  it.effect("keeps its subscription if the settings change", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_SUBSCRIPTION", "first")
      const { origin, requests } = yield* serveSubscriptions([world])
      const { idle, pass } = yield* startServer("--base-url", origin)
      yield* idle
      vi.stubEnv("HEALTH_SUBSCRIPTION", "second")
      yield* pass("5 minutes")
      yield* idle
      const targets = (yield* requests).map(({ target }) => target).filter((target) => target.includes("/first/"))
      expect(targets).toHaveLength(2)
      expect((yield* requests).filter(({ target }) => target.includes("/second/"))).toEqual([])
    }),
  )

  it.effect("serves the events as the service sent them", () =>
    Effect.gen(function* () {
      const [event] = onePerType.events
      const long = { ...event, id: "/events/long", name: `Ä ${"x".repeat(200)}` }
      const { get, idle } = yield* scene(Reply.page([event, long]))
      yield* idle
      expect(JSON.parse((yield* get("/events")).text)).toEqual({
        period: "updated in the last 90d",
        lists: [{ subscription: "x" }, { scope: "tenant" }, { scope: "everyone" }].map((one) => ({
          ...one,
          name: null,
          problem: null,
          readAt: null,
        })),
        invalid: 0,
        events: [event, long],
      })
      expect((yield* get("/metrics")).text).toContain("Active events that were updated in the last 90d, by kind ")
    }),
  )

  it.effect("shows the report, which works without scripts, under a strict policy", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      const { headers, text } = yield* get("/")
      expect(text).toContain("Subscription x")
      expect(text).toContain("Reload the page to update it.")
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'$/,
      )
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
      })
    }),
  )

  it.effect("sends a body only if the ETag differs", () =>
    Effect.gen(function* () {
      const { get, idle, pass } = yield* scene(world, world, Reply.page(onePerType.events.slice(1)))
      yield* idle
      const tags = yield* Effect.forEach(paths, (path) =>
        Effect.gen(function* () {
          const { etag = "" } = (yield* get(path)).headers
          for (const sent of [etag, `"x", W/${etag}`]) {
            const { headers, status, text } = yield* get(path, { headers: { "if-none-match": sent } })
            expect([status, headers.etag, text]).toEqual([304, etag, ""])
          }
          return etag
        }),
      )
      const changed = Effect.forEach(paths, (path, index) =>
        Effect.map(get(path, { headers: { "if-none-match": tags[index] ?? "" } }), ({ status }) => status === 200),
      )
      yield* pass("5 minutes")
      yield* idle
      // Only the page shows the time of its poll.
      expect(yield* changed).toEqual([true, false, false])
      yield* pass("5 minutes")
      yield* idle
      expect((yield* changed)[1]).toBe(true)
    }),
  )

  it.effect("rejects other methods, bodies and unknown paths", () =>
    Effect.gen(function* () {
      const { get, idle, url } = yield* scene(world)
      yield* idle
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
        const { headers, status } = yield* get("/events", { method })
        expect([status, headers.allow]).toEqual([405, "GET, HEAD"])
      }
      for (const [header, value] of [
        ["content-length", "2"],
        ["transfer-encoding", "chunked"],
      ] as const) {
        const { headers, status } = yield* get("/events", { headers: { [header]: value } }, "{}")
        expect([status, headers.connection]).toEqual([413, "close"])
      }
      expect((yield* get("/nope")).text).toContain("/calendar.ics")
      for (const path of ["/nope", "/events/x", "/a/events", "/events/", "/constructor", "//", "/toString"])
        expect((yield* get(`${url.slice(0, -1)}${path}`)).status).toBe(404)
    }),
  )

  it.effect("is alive but not ready until a poll has succeeded", () =>
    Effect.gen(function* () {
      const { get, idle, note, pass } = yield* scene(Reply.text("<html>"), Reply.page([...onePerType.events, 42]))
      yield* idle
      expect(yield* note).toContain("poll failed")
      expect(yield* get("/healthz")).toMatchObject({ status: 200, text: "alive\n" })
      expect(yield* get("/readyz")).toMatchObject({ status: 503, headers: { "cache-control": "no-store" } })
      for (const path of paths) {
        const { headers, status } = yield* get(path)
        expect([status, headers["retry-after"]]).toEqual([503, "5"])
      }
      expect((yield* get("/")).headers).toMatchObject({
        refresh: "5",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      })
      expect((yield* get("/metrics")).text).toContain('vigil_polls_total{subscription="x",result="failure"} 1')
      yield* pass("5 minutes")
      yield* idle
      expect(yield* note).toContain("not an event")
      expect(yield* note).toContain("recovered")
      expect((yield* get("/metrics")).text).toMatch(/^vigil_invalid_entries\{subscription="x"\} 1$/m)
      expect([(yield* get("/readyz")).text, (yield* get("/")).status]).toEqual(["ready\n", 200])
    }),
  )

  it.effect("keeps the last snapshot when polls fail, and knows its age also if the clock steps back", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let step = 0
      const wallClock = () => clock.currentTimeMillisUnsafe() - step
      const stepping = {
        ...clock,
        currentTimeMillisUnsafe: wallClock,
        currentTimeMillis: Effect.sync(wallClock),
      }
      const broken = Reply.text("<html>")
      const { get, idle, pass } = yield* Effect.provideService(
        scene(world, broken, broken, broken, broken, world),
        Clock.Clock,
        stepping,
      )
      yield* idle
      expect((yield* get("/")).text).not.toContain("could not be read")
      const events = yield* get("/events")
      expect(events.headers["vigil-poll-age"]).toBe("0")
      step = 3_600_000
      for (const found of ["", "", "", "The last successful poll is too old.\n"]) {
        yield* pass("5 minutes")
        yield* idle
        const text = `ready\n${found}Could not read Subscription x\n`
        expect(yield* get("/readyz")).toMatchObject({ status: 200, text })
      }
      const later = yield* get("/events")
      expect(later.headers["vigil-poll-age"]).toBe("1200")
      expect(JSON.parse(later.text)).toMatchObject({
        lists: [
          { problem: expect.stringContaining("JSON"), readAt: "2026-03-10T12:00:00.000Z" },
          { scope: "tenant", problem: null },
          { scope: "everyone", problem: null },
        ],
        events: JSON.parse(events.text).events,
      })
      expect((yield* get("/")).text).toMatch(/Some of this is of 10 Mar 2026, 12:00 UTC\. x could not be read/)
      expect((yield* get("/metrics")).text).toMatch(
        /result="failure"} 4\n[^]*\nvigil_poll_age_seconds\{subscription="x"\} 1200\n[^]*\nvigil_poll_max_age_seconds 9\d\d\b/,
      )
      yield* pass("5 minutes")
      yield* idle
      expect((yield* get("/readyz")).text).toBe("ready\n")
    }),
  )

  it("has recent lists between polls that take longer than the interval, also after a failed poll", () => {
    const [every, duration, startedAt] = [60_000, 300_000, 1_000]
    const slow = stateAfter(firstState, onePerType, { duration, startedAt })
    const failed = stateAfter(slow, onePerType, { duration: 10, startedAt, problem: "No response." })
    const limit = startedAt + 3 * (every + duration)
    for (const state of [slow, failed])
      expect([limit, limit + 1].map((now) => Readiness.problem(state, now, every) === undefined)).toEqual([true, false])
  })

  it.effect("stays ready if the service rejects a poll after a good one, and says so until it recovers", () =>
    Effect.gen(function* () {
      const { get, idle, note, pass } = yield* scene(world, Reply.text("{}", { status: 404 }), world)
      yield* idle
      yield* pass("5 minutes")
      yield* idle
      expect(yield* note).toMatch(/poll failed.*404/)
      expect(yield* get("/readyz")).toMatchObject({ status: 200, text: expect.stringContaining("rejects") })
      expect((yield* get("/")).text).toContain("could not be read")
      yield* pass("5 minutes")
      yield* idle
      expect((yield* get("/readyz")).text).toBe("ready\n")
    }),
  )

  it.live("shares a body with its readers, and cuts off those of old bodies, so that slow readers fill no memory", () =>
    Effect.gen(function* () {
      let state: State.State = firstState
      const handle = handlerOf(() => state)
      const responses: Array<ServerResponse> = []
      const respond = (request: IncomingMessage, response: ServerResponse) => {
        responses.push(response)
        handle(request, response)
      }
      const url = yield* Server.listen({ ...listenOptions, respond }).pipe(
        Effect.provideService(Output, collectNotes().output),
      )
      // A response that is not referenced ends at the next garbage collection.
      const readers: Array<Response> = []
      const abort = new AbortController()
      yield* Effect.addFinalizer(() => Effect.sync(() => abort.abort()))
      const text = "x".repeat(8_000_000)
      for (const title of [0, 0, 0, 1, 2, 3, 4, 4]) {
        state = stateAfter(state, { ...onePerType, events: [{ name: `${title}${text}` }] })
        // Nothing reads the bodies, which are larger than the buffers of the sockets.
        const options = { signal: abort.signal, headers: { "accept-encoding": "identity" } }
        readers.push(yield* Effect.promise(() => fetch(`${url}events`, options)))
      }
      const isCutOff = responses.map(({ destroyed }) => destroyed)
      expect(isCutOff).toHaveLength(readers.length)
      expect(isCutOff).toEqual(isCutOff.map((_, index) => index < 3))
    }),
  )

  it("sends metrics to many scrapers at once", () => {
    const handle = handlerOf(() => firstState)
    const responses = Array.from({ length: 10 }, () => {
      const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url: "/metrics" })
      request.headers.host = "127.0.0.1"
      // Nothing reads the response.
      const response = new ServerResponse(request)
      handle(request, response)
      return response
    })
    expect(responses.map(({ destroyed, statusCode }) => [destroyed, statusCode])).toEqual(
      responses.map(() => [false, 200]),
    )
  })

  it.effect.each([
    [401, 3],
    [404, 5],
  ] as const)("on status %i exits with %i, because the next poll would fail too", ([status, code]) =>
    Effect.gen(function* () {
      const { fiber, note } = yield* scene(Reply.text("{}", { status }))
      expect(yield* note).toContain("responded")
      expect(yield* Fiber.join(fiber)).toBe(code)
    }),
  )

  it.live("survives an exception, and reports it", () =>
    Effect.gen(function* () {
      const notes = collectNotes()
      const url = yield* Server.listen({
        ...listenOptions,
        respond: (_, response) => {
          if (_.url === "/late") response.writeHead(200)
          throw new Error("a secret")
        },
      }).pipe(Effect.provideService(Output, notes.output))

      expect(yield* send(url)).toMatchObject({ status: 500, text: "" })
      expect(yield* Effect.promise(() => fetch(`${url}late`).then(String, () => "cut off"))).toBe("cut off")
      const bug = "This is a bug in vigil, please report it: Error."
      expect(notes.take()).toEqual([`vigil: No response to GET /. ${bug}`, `vigil: No response to GET /late. ${bug}`])
    }),
  )

  it.live("rejects a port that is in use, an unknown address, and mutually exclusive flags", () =>
    Effect.gen(function* () {
      const { url } = yield* startServer("--sandbox")
      const { port } = new URL(url)
      for (const [line, words] of [
        [`serve --sandbox --port ${port}`, `${port} is in use`],
        ["serve --sandbox --port 0 --host 127.0.0.999", "requires a token"],
        ["serve --sandbox -s x --tenant-wide", "mutually exclusive"],
        ["serve --base-url http://127.0.0.1:1", "subscription"],
      ] as const)
        expect(yield* run(line)).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining(words)] })
    }),
  )
})
