/** `vigil serve`: its paths, its state between polls, and its exit codes. */
import { Agent } from "node:http"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { afterEach, vi } from "vitest"
import { run } from "./run.js"
import * as Server from "../src/serve/Server.js"
import * as State from "../src/serve/State.js"
import { send, startServer } from "./server.js"
import { onePerType } from "./snapshots.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Runs `vigil serve` for a service that sends these responses in order. The clock starts at the time of the events. */
const scene = (...replies: ReadonlyArray<Reply.Reply | Effect.Effect<Reply.Reply>>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(onePerType.now)
    const service = yield* Faults.serve(replies)
    return yield* startServer("-s", "x", "--base-url", service.origin)
  })

const world = Reply.page(onePerType.events)

const paths = ["/", "/events", "/calendar.ics"] as const

const name = onePerType.events[0]?.name ?? ""

/** Sends raw text, and returns everything that is received until the connection closes. */
const exchange = (url: string, text: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    let received = ""
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text))
    socket.setEncoding("utf8").on("data", (chunk) => (received += String(chunk)))
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
  })

describe("serve", () => {
  it.scoped("serves each path with its content type", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      const types = yield* Effect.forEach([...paths, `/events/${name}`, "/metrics", "/healthz", "/readyz"], (path) =>
        Effect.map(get(path), ({ headers, status }) => [path, status, headers["content-type"]]),
      )
      expect(types).toEqual([
        ["/", 200, "text/html; charset=utf-8"],
        ["/events", 200, "application/json"],
        ["/calendar.ics", 200, "text/calendar; charset=utf-8"],
        [`/events/${name}`, 200, "application/json"],
        ["/metrics", 200, "text/plain; version=0.0.4; charset=utf-8"],
        ["/healthz", 200, "text/plain; charset=utf-8"],
        ["/readyz", 200, "text/plain; charset=utf-8"],
      ])
    }),
  )

  it.scoped("lets no cache answer for it", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      const rules = yield* Effect.forEach([...paths, "/nope", "/metrics", "/healthz", "/readyz"], (path) =>
        Effect.map(get(path), ({ headers }) => [path, headers["cache-control"]]),
      )
      expect(rules).toEqual([
        ...[...paths, "/nope"].map((path) => [path, "private, no-cache"]),
        ...["/metrics", "/healthz", "/readyz"].map((path) => [path, "no-store"]),
      ])
      const stream = yield* get("/changes", { method: "HEAD" })
      expect(stream.headers).toMatchObject({ "cache-control": "no-store", "content-type": "text/event-stream" })
    }),
  )

  it.scoped("keeps its subscription if the settings change", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_SUBSCRIPTION", "first")
      const { origin, requests } = yield* Faults.serve([world])
      const { idle, pass } = yield* startServer("--base-url", origin)
      yield* idle
      vi.stubEnv("HEALTH_SUBSCRIPTION", "second")
      yield* pass("5 minutes")
      yield* idle
      const targets = (yield* requests).map(({ target }) => target)
      expect(targets).toHaveLength(2)
      for (const target of targets) expect(target).toMatch(/^\/subscriptions\/first\//)
    }),
  )

  it.scoped("serves the events as the service sent them, and each by its tracking ID", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      expect(JSON.parse((yield* get("/events")).text)).toEqual(onePerType.events)
      for (const id of [name, name.toLowerCase()])
        expect(JSON.parse((yield* get(`/events/${id}?x=y`)).text)).toEqual(onePerType.events[0])
      for (const id of ["AB12-CD3", "%", "constructor"])
        expect(yield* get(`/events/${id}`)).toMatchObject({ status: 404, text: expect.stringContaining("no event") })
    }),
  )

  it.scoped("serves an event by a tracking ID that is too long for a URL", () =>
    Effect.gen(function* () {
      const [event] = onePerType.events
      const long = { ...event, name: `Ä ${"x".repeat(200)}` }
      const { get, idle } = yield* scene(Reply.page([long]))
      yield* idle
      const { text } = yield* get(`/events/${encodeURIComponent(long.name)}`)
      expect(JSON.parse(text)).toEqual(long)
    }),
  )

  it.scoped("shows the report, which works without scripts, under a strict policy", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* scene(world)
      yield* idle
      const { headers, text } = yield* get("/")
      expect(text).toContain("Subscription x")
      for (const { properties } of onePerType.events)
        expect(text).toContain(`updated <time datetime="${properties?.lastUpdateTime?.slice(0, 16)}`)
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

  it.scoped("sends a body only if the ETag differs, and none for HEAD", () =>
    Effect.gen(function* () {
      const { get, idle, pass } = yield* scene(world, world, Reply.page(onePerType.events.slice(1)))
      yield* idle
      const tags = yield* Effect.forEach(paths, (path) =>
        Effect.gen(function* () {
          const full = yield* get(path)
          const { etag = "" } = full.headers
          expect(etag).toMatch(/^"[\w-]{27}"$/)
          for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
            const { headers, status, text } = yield* get(path, { headers: { "if-none-match": sent } })
            expect([status, headers.etag, text]).toEqual([304, etag, ""])
          }
          expect((yield* get(path, { headers: { "if-none-match": '"x"' } })).text).toBe(full.text)
          const head = yield* get(path, { method: "HEAD" })
          expect(head).toMatchObject({ status: 200, text: "" })
          expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(full.text)))
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

  it.scoped("rejects other methods, bodies and unknown paths", () =>
    Effect.gen(function* () {
      const { get, idle, url } = yield* scene(world)
      yield* idle
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
        const { headers, status } = yield* get("/events", { method })
        expect([status, headers.allow]).toEqual([405, "GET, HEAD"])
      }
      expect((yield* get("/events", { method: "POST" })).text).toBe("This server is read-only.\n")
      const withBody = yield* get("/events", { headers: { "content-length": "2" } }, "{}")
      expect([withBody.status, withBody.headers.connection, withBody.text]).toEqual([413, "close", "Send no body.\n"])
      const inChunks = { "transfer-encoding": "chunked" }
      expect((yield* get("/events", { headers: inChunks }, "{}")).status).toBe(413)
      const agent = new Agent({ keepAlive: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
      const empty = yield* get("/events", { agent, headers: { "content-length": "0" } })
      expect([empty.status, empty.headers.connection]).toEqual([200, "keep-alive"])
      expect((yield* get("/nope")).text).toBe("Paths: /healthz /readyz / /events /calendar.ics /metrics /changes\n")
      for (const path of ["/nope", "/events/a/b", "/a/events/b", "/events/", "//", "/toString"])
        expect((yield* get(`${url.slice(0, -1)}${path}`)).status).toBe(404)
      expect(yield* exchange(url, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(9000)}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 431 /,
      )
      const upgrade = "connection: upgrade, close\r\nupgrade: websocket"
      expect(yield* exchange(url, `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 200 /,
      )
    }),
  )

  it.scoped("is alive but not ready until a poll has succeeded", () =>
    Effect.gen(function* () {
      const { get, idle, note, pass } = yield* scene(Reply.text("<html>"), world)
      yield* idle
      expect(yield* note).toMatch(/^vigil: A poll failed, the next one is in 5m\. /)
      expect(yield* get("/healthz")).toMatchObject({ status: 200, text: "alive\n" })
      const unready = { status: 503, text: "The last successful poll is missing or too old.\n" }
      expect(yield* get("/readyz")).toMatchObject({ ...unready, headers: { "cache-control": "no-store" } })
      for (const path of [...paths, "/events/x"]) {
        const { headers, status } = yield* get(path)
        expect([status, headers["retry-after"]]).toEqual([503, "5"])
      }
      const { headers, text } = yield* get("/")
      expect(text).toMatch(/^<!doctype html>[^]*<meta http-equiv="refresh" content="2"[^]*No poll has succeeded yet\./)
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
      })
      expect((yield* get("/", { method: "HEAD" })).text).toBe("")
      expect(yield* get("/events")).toMatchObject({
        text: "No poll has succeeded yet. Try again soon.\n",
        headers: { "content-type": "text/plain; charset=utf-8" },
      })
      expect((yield* get("/metrics")).text).toContain('vigil_polls_total{result="failure"} 1')
      yield* pass("5 minutes")
      yield* idle
      expect(yield* note).toBe("vigil: Polling recovered after 1 failed poll.")
      expect([(yield* get("/readyz")).text, (yield* get("/")).status]).toEqual(["ready\n", 200])
    }),
  )

  it.scoped("keeps the last snapshot when polls fail, says so, and is not ready after three intervals", () =>
    Effect.gen(function* () {
      const broken = Reply.text("<html>")
      const { get, idle, pass } = yield* scene(world, broken)
      yield* idle
      expect((yield* get("/")).text).not.toContain("The last poll failed")
      const events = (yield* get("/events")).text
      for (const ready of [200, 200, 200, 503]) {
        yield* pass("5 minutes")
        yield* idle
        expect((yield* get("/readyz")).status).toBe(ready)
      }
      expect((yield* get("/events")).text).toBe(events)
      expect((yield* get("/")).text.replaceAll(/\s+/g, " ")).toMatch(
        /The last poll failed at <time [^>]+>10 Mar 2026, 12:20<\/time> UTC\. This page shows the state at <time [^>]+>10 Mar 2026, 12:00</,
      )
      expect((yield* get("/metrics")).text).toMatch(/result="failure"} 4\n[^]*\nvigil_poll_age_seconds 1200\n/)
    }),
  )

  it("stays ready between polls that take longer than the interval, also after a failed poll", () => {
    const [every, duration] = [60_000, 300_000]
    const slow = State.succeed(State.initial, { snapshot: onePerType, invalid: [], reach: onePerType.from, duration })
    const limit = onePerType.now + 3 * (every + duration)
    for (const state of [slow, State.fail(slow, onePerType.now + every + duration, 10)]) {
      expect(State.isReady(state, onePerType.now + duration + every + duration, every)).toBe(true)
      expect([limit, limit + 1].map((now) => State.isReady(state, now, every))).toEqual([true, false])
    }
  })

  it.scoped.each([
    [401, 3],
    [404, 5],
  ] as const)("on status %i exits with %i, because the next poll would fail too", ([status, code]) =>
    Effect.gen(function* () {
      const { fiber, note } = yield* scene(Reply.text("{}", { status }))
      expect(yield* note).toMatch(/^vigil: The health service responded/)
      expect(yield* Fiber.join(fiber)).toBe(code)
    }),
  )

  it.scoped("notes an invalid entry once, and counts it", () =>
    Effect.gen(function* () {
      const { get, idle, note, pass } = yield* scene(Reply.page([...onePerType.events, 42]))
      yield* idle
      expect(yield* note).toBe("vigil: an entry of the list is not an event: it must be an object, not a number")
      yield* pass("5 minutes")
      yield* idle
      expect((yield* get("/metrics")).text).toMatch(/^vigil_invalid_entries 1$/m)
    }),
  )

  it.scopedLive("survives an exception, and reports it", () =>
    Effect.gen(function* () {
      const defects: Array<unknown> = []
      const bug = new Error("bug")
      const url = yield* Server.listen({
        host: "127.0.0.1",
        port: 0,
        maxConnections: 10,
        respond: (_, response) => {
          if (_.url === "/late") response.writeHead(200)
          throw bug
        },
        onDefect: (error) => defects.push(error),
      })

      expect(yield* send(url)).toMatchObject({ status: 500, text: "" })
      expect(yield* Effect.promise(() => fetch(`${url}late`).then(String, () => "cut off"))).toBe("cut off")
      expect(defects).toEqual([bug, bug])
    }),
  )

  it.scopedLive("rejects a port that is in use, an unknown address, and mutually exclusive flags", () =>
    Effect.gen(function* () {
      const { url } = yield* startServer("--sandbox")
      const { port } = new URL(url)
      for (const [line, words] of [
        [`serve --sandbox --port ${port}`, `Port ${port} is in use. Pass another --port.`],
        ["serve --sandbox --port 0 --host 127.0.0.999", "is reachable from other machines and requires a token"],
        ["serve --sandbox -s x --tenant-wide", "--subscription and --tenant-wide are mutually exclusive"],
        ["serve --base-url http://127.0.0.1:1", "No subscription is configured"],
      ] as const)
        expect(yield* run(line)).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining(words)] })
    }),
  )
})
