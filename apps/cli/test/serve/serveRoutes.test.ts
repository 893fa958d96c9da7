/** Notifications of `vigil serve --routes`, and their metrics. */
import { mkdirSync, rmSync, watch, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import { event, startReceiver } from "../support/receiver.js"
import { ofOtherVersion } from "../support/otherVersion.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

type Receiver = Effect.Success<ReturnType<typeof startReceiver>>

interface Options extends Receiver {
  readonly filters?: ReadonlyArray<string>
}

/** The requests for lists of events that routes are about. */
const ofSubscriptions = (requests: ReadonlyArray<{ readonly target: string }>) =>
  requests.filter(({ target }) => target.startsWith("/subscriptions/"))

/** Runs `vigil serve` for a service that sends these pages in order. */
const scene = ({ filters = [], routes, state }: Options, ...pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.gen(function* () {
    const service = yield* serveSubscriptions(pages.map((page) => Reply.page(page)))
    const flags = ["--routes", routes, "--state-file", state, ...filters]
    const server = yield* startServer("-s", "x", "--base-url", service.origin, ...flags)
    yield* server.idle
    // The first openings of a sink wait for each other.
    yield* server.pass("20 seconds")
    const next = Effect.andThen(server.pass("5 minutes"), server.idle).pipe(Effect.andThen(server.pass("20 seconds")))
    /** Waits until the metrics contain this text, and returns the samples of notifications. */
    const metrics = (text: string) =>
      Effect.map(
        Effect.repeat(server.get("/metrics"), { until: (response) => response.text.includes(text) }),
        (response) => response.text.match(/^vigil_notifications.*/gm) ?? [],
      )
    return { ...server, service, next, metrics }
  })

describe("serve --routes", () => {
  it.effect("sends each change between polls once, also after a restart, and counts it", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const over = [event("A", "Resolved"), event("OVER", "Resolved")]
      const first = yield* scene(receiver, [event("A"), event("OVER", "Resolved")], [event("B"), ...over])
      expect(yield* receiver.message).toBe("a:opened")
      yield* first.next
      expect([yield* receiver.message, yield* receiver.message].toSorted()).toEqual(["a:resolved", "b:opened"])
      expect(yield* first.metrics('result="delivered"} 3')).toEqual([
        'vigil_notifications_total{sink="hook",result="delivered"} 3',
        'vigil_notifications_total{sink="hook",result="failed"} 0',
        'vigil_notifications_total{sink="hook",result="dead_lettered"} 0',
        'vigil_notifications_waiting{sink="hook"} 0',
        "vigil_notifications_stored 1",
      ])
      // The sinks use the polls of the page, without other list requests.
      expect(ofSubscriptions(yield* first.service.requests)).toHaveLength(2)
      yield* Fiber.interrupt(first.fiber)
      ofOtherVersion(receiver.state)
      const withMore = { ...event("B"), more: 1 }
      const second = yield* scene(receiver, [withMore, ...over], [event("B", "Resolved"), ...over])
      yield* second.next
      expect(yield* receiver.message).toBe("b:resolved")
      expect(yield* Queue.size(receiver.messages)).toBe(0)
    }),
  )

  it.effect("sends what is active at the first poll, although its last update is old, but no history", () =>
    Effect.gen(function* () {
      const now = Date.parse("2026-03-10T12:00:00Z")
      yield* TestClock.setTime(now)
      const receiver = yield* startReceiver()
      const [old, over] = (["OLD", "OVER"] as const).map((name) =>
        event(name, name === "OLD" ? "Active" : "Resolved", new Date(now - 60 * 86_400_000).toISOString()),
      )
      const { next } = yield* scene(receiver, [old, over], [old, over])
      expect(yield* receiver.message).toBe("old:opened")
      yield* next
      expect(yield* Queue.size(receiver.messages)).toBe(0)
    }),
  )

  it.effect("reads each list once per poll, also with a shorter --since, whose page has no older events", () =>
    Effect.gen(function* () {
      const start = Date.parse("2026-03-10T12:00:00Z")
      yield* TestClock.setTime(start)
      const receiver = yield* startReceiver()
      const list = (status: string) =>
        [1, 24].map((hours) => event(`${hours}h`, status, new Date(start - hours * 3_600_000).toISOString()))
      const since = { ...receiver, filters: ["--since", "12h"] }
      const { get, next, service } = yield* scene(since, list("Active"), list("Resolved"))
      yield* receiver.message
      expect((yield* get("/events")).text).not.toContain("24h")
      yield* next
      expect([yield* receiver.message, yield* receiver.message].toSorted()).toEqual(["1h:resolved", "24h:resolved"])
      expect(ofSubscriptions(yield* service.requests)).toHaveLength(2)
    }),
  )

  it.effect("stores what is active at the first poll together, so that it is sent as one message", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const writes: Array<string | null> = []
      const watcher = watch(receiver.path, (_, name) => void writes.push(name))
      yield* Effect.addFinalizer(() => Effect.sync(() => watcher.close()))
      const active = Array.from({ length: 500 }, (_, index) => event(`E${index}`))
      yield* scene(receiver, active)
      expect(yield* receiver.message).toMatch(/:summary$/)
      // One by one, there would be some for each event.
      expect(writes.length).toBeGreaterThan(0)
      expect(writes.length).toBeLessThan(active.length)
    }),
  )

  it.effect("links each message to its event on the page", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const filters = ["--public-url", "https://status.example/vigil"]
      const { get, next } = yield* scene(
        { ...receiver, filters },
        [event("AB12-CD3")],
        [event("AB12-CD3"), event("a b")],
      )
      yield* receiver.message
      yield* next
      yield* receiver.message
      const links = receiver.received.map(({ link }) => link)
      expect(links).toEqual(["https://status.example/vigil/#event-AB12-CD3", "https://status.example/vigil/"])
      expect((yield* get("/")).text).toContain('id="event-AB12-CD3"')
    }),
  )

  it.live.each([
    [["--public-url", "status.example"], "is invalid"],
    [["--public-url", "https://status.example/?a"], "is invalid"],
    [["--public-url", "javascript:alert(1)"], "is invalid"],
  ] as const)("refuses %j", ([flags, words]) =>
    Effect.gen(function* () {
      expect(yield* run(["serve", "--sandbox", ...flags])).toMatchObject({
        code: 2,
        notes: [expect.stringContaining(words)],
      })
    }),
  )

  it.effect("shows and sends only events that the filters select, and the change that ends a match", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const maintenance = (name: string, status: string) => ({
        name,
        properties: {
          ...event(name, status).properties,
          eventType: "PlannedMaintenance",
          impactStartTime: "1970-01-02T00:00:00Z",
          impact: [{ impactedService: `Service ${name}`, impactedRegions: [{ impactedRegion: "westeurope" }] }],
        },
      })
      const list = (status: string) => ["Shown", "Excluded"].map((name) => maintenance(name, status))
      const filters = ["--service", "Service Shown", "--status", "Active"]
      const { get, next } = yield* scene({ ...receiver, filters }, list("Active"), list("Resolved"))
      expect(yield* receiver.message).toBe("shown:opened")
      for (const path of ["/", "/events", "/metrics", "/calendar.ics"]) {
        const { text } = yield* get(path)
        expect(text).toContain("Shown")
        expect(text).not.toMatch(/excluded/i)
      }
      yield* next
      expect(yield* receiver.message).toBe("shown:resolved")
      expect(yield* Queue.size(receiver.messages)).toBe(0)
      expect((yield* get("/events")).text).toContain('"events":[]')
    }),
  )

  it.effect("counts the rejected and the pending notifications of a sink", () =>
    Effect.gen(function* () {
      const replies = [Reply.empty(400)]
      const receiver = yield* startReceiver(() => replies.pop() ?? Reply.empty(503, { "retry-after": "3600" }))
      const server = yield* scene(receiver, [event("A")], [event("A"), event("B")])
      expect(yield* receiver.message).toBe("a:opened")
      yield* server.metrics('result="dead_lettered"} 1')
      yield* server.next
      expect(yield* receiver.message).toBe("b:opened")
      expect(yield* server.metrics('_waiting{sink="hook"} 1')).toContain(
        'vigil_notifications_total{sink="hook",result="delivered"} 0',
      )
    }),
  )

  it.effect("keeps serving if notifications can't be stored, says so once, and stores them when it can", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      const polls = [[], [event("A")], [event("A")], [event("A")]]
      const server = yield* scene(receiver, ...polls)
      const stored = `${receiver.state}.notifications.hook`
      mkdirSync(stored)
      yield* server.next
      expect(yield* server.note).toMatch(/Notifications failed, .*hook" could not be written/)
      yield* server.next
      expect(yield* server.metrics("_stored 0")).toContain("vigil_notifications_stored 0")
      expect(yield* server.get("/readyz")).toMatchObject({
        status: 200,
        text: "ready\nCould not store notifications\n",
      })
      rmSync(stored, { recursive: true })
      // The notification was sent although it was not stored.
      expect(yield* receiver.message).toBe("a:opened")
      yield* server.next
      // The next note: there was none for the second failure.
      expect(yield* server.note).toBe("vigil: Notifications work again.")
      expect(yield* server.metrics('result="delivered"} 1')).toContain("vigil_notifications_stored 1")
      expect((yield* server.get("/readyz")).text).toBe("ready\n")
    }),
  )

  it.effect("fails for a foreign state file, and flags without routes or a subscription", () =>
    Effect.gen(function* () {
      const { routes, state } = yield* startReceiver()
      const service = yield* serveSubscriptions(() => Reply.page([]))
      const to = ["--base-url", service.origin, "--routes", routes]
      writeFileSync(state, "{}")
      for (const [args, words] of [
        [[...to, "--tenant-wide"], "--routes requires subscriptions"],
        [["--sandbox", "--state-file", state], "--state-file requires --routes"],
        [[...to, "-s", "x", "--state-file", state], "is not a state file of vigil"],
      ] as const) {
        const ended = yield* run(["serve", "--port", "0", ...args])
        expect([ended.code, ended.notes.at(-1)]).toEqual([2, expect.stringContaining(words)])
      }
    }),
  )
})
