/** `vigil serve` for several subscriptions, when some fail. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import { event, startReceiver } from "../support/receiver.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions, subscriptionService } from "../support/service.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const now = Date.parse("2026-03-10T12:00:00Z")

const active = (name: string) => event(name, "Active", new Date(now).toISOString())

type Responses = Record<string, ReadonlyArray<unknown> | number>

const scene = (responses: Responses, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const service = yield* subscriptionService(responses)
    const flags = Object.keys(responses).flatMap((id) => ["-s", id])
    const server = yield* startServer(...flags, "--base-url", service.origin, ...args)
    yield* server.idle
    const next = Effect.andThen(server.pass("5 minutes"), server.idle)
    return { ...server, next }
  })

describe("serve with a subscription that fails", () => {
  it.effect("serves and refreshes the others, and names it until it recovers", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "token-of-tests")
      workspace.write(workspace.user, JSON.stringify({ subscriptions: { Production: "b" } }))
      const responses: Responses = { a: [], b: 404, c: [active("C")] }
      const { get, introduction, next, note } = yield* scene(responses)
      expect(introduction).toMatch(/^Serving Production and 2 more\./)
      expect(yield* note).toMatch(/^vigil: Production \(b\): A poll failed, .*404/)
      expect(yield* get("/readyz")).toMatchObject({ status: 200, text: "ready\nCould not read Subscription b\n" })
      const page = (yield* get("/")).text
      for (const words of ["Subscriptions a, Production (b), c", "Production (b) could not be read."])
        expect(page).toContain(words)
      expect(JSON.parse((yield* get("/events")).text)).toMatchObject({
        lists: [
          { subscription: "a", problem: null },
          { subscription: "b", name: "Production", problem: expect.stringContaining("404"), readAt: null },
          { subscription: "c", problem: null },
          { scope: "tenant", problem: null },
          { scope: "everyone", problem: null },
        ],
        events: [{ name: "C" }],
      })
      const metrics = (yield* get("/metrics")).text
      for (const sample of [
        'vigil_poll_success{subscription="a"} 1',
        'vigil_poll_success{subscription="b",name="Production"} 0',
        'vigil_polls_total{subscription="b",result="failure"} 1',
        'vigil_events_active{subscription="c",kind="issue",type="Other",level="Error"} 1',
        'vigil_event_impacts_active{subscription="c",kind="issue",type="Other",level="Error",service="",region=""} 1',
      ])
        expect(metrics).toContain(`${sample}\n`)
      expect(metrics).not.toMatch(/vigil_events_active\{subscription="b"/)

      Object.assign(responses, { b: [], c: [] })
      yield* next
      expect(yield* note).toMatch(/^vigil: Production \(b\): Polling recovered/)
      expect((yield* get("/")).text).toContain("No issue is active")
      expect((yield* get("/readyz")).text).toBe("ready\n")
    }),
  )

  it.effect("polls the others on time while it does not respond", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const requests: Array<string> = []
      const { origin } = yield* serveSubscriptions(({ target }) => {
        const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
        requests.push(id)
        return id === "b" ? Reply.silent : Reply.page([])
      })
      const flags = ["-s", "a", "-s", "b", "--base-url", origin, "--list-timeout", "1h"]
      const { pass, polled } = yield* startServer(...flags, "--resources")
      for (let polls = 0; polls < 3; polls++) {
        yield* polled
        yield* pass("5 minutes")
      }
      yield* polled
      expect(requests.filter((id) => id === "a")).toHaveLength(8)
      expect(requests.filter((id) => id === "b")).toHaveLength(2)
    }),
  )

  it.effect("keeps its last events, and sends no change of them", () =>
    Effect.gen(function* () {
      const { messages, routes } = yield* startReceiver()
      const responses: Responses = { a: [active("A")], b: [] }
      const { get, next, pass } = yield* scene(responses, "--routes", routes)
      yield* pass("20 seconds")
      expect(yield* Queue.take(messages)).toBe("a:opened")
      Object.assign(responses, { a: 404, b: [active("B")] })
      yield* next
      yield* pass("20 seconds")
      expect(yield* Queue.take(messages)).toBe("b:opened")
      expect(yield* Queue.size(messages)).toBe(0)
      const { headers, text } = yield* get("/events")
      expect(headers["vigil-poll-age"]).toBe("340")
      expect(JSON.parse(text)).toMatchObject({
        lists: [
          { subscription: "a", readAt: "2026-03-10T12:00:00.000Z" },
          { subscription: "b" },
          { scope: "tenant" },
          { scope: "everyone" },
        ],
        events: [{ name: "A" }, { name: "B" }],
      })
      expect((yield* get("/")).text).toMatch(/2 issues are active[^]*of 10 Mar 2026, 12:00 UTC\. a could not be read/)
    }),
  )

  it.effect("never says that no issue is active", () =>
    Effect.gen(function* () {
      const { get } = yield* scene({ a: [], b: 404 })
      expect((yield* get("/")).text).toContain("No issue is known to be active")
    }),
  )

  it.live("serves the others before it ends", () =>
    Effect.gen(function* () {
      const service = yield* serveSubscriptions(({ target }) =>
        target.includes("/b/") ? Effect.never : Reply.page([]),
      )
      const { get } = yield* startServer("-s", "b", "-s", "a", "--base-url", service.origin)
      yield* Effect.repeat(get("/readyz"), { until: ({ status }) => status === 200 })
      const { text } = yield* get("/")
      expect(text).toMatch(/No issue is known to be active[^]*Subscription b: It was not read yet\./)
    }),
  )

  it.live("ends if the service rejects the first poll of each", () =>
    Effect.gen(function* () {
      const service = yield* subscriptionService({})
      const { code, notes } = yield* run(`serve --port 0 -s a -s b --base-url ${service.origin}`)
      expect([code, notes.slice(-3)]).toEqual([
        5,
        [
          expect.stringMatching(/^vigil: a: .*404/),
          expect.stringMatching(/^vigil: b: .*404/),
          "vigil: 2 of 2 subscriptions failed: see above.",
        ],
      ])
    }),
  )
})
