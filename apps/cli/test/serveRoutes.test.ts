/** Notifications of `vigil serve --routes`, and their metrics. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { afterEach, vi } from "vitest"
import { event, receiving } from "./receiver.js"
import { run } from "./run.js"
import { serving } from "./serving.js"

afterEach(() => void vi.unstubAllEnvs())

type Receiver = Effect.Effect.Success<ReturnType<typeof receiving>>

/** Serves a service that sends these pages, one after the other. */
const scene = ({ routes, state }: Receiver, ...pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.gen(function* () {
    const service = yield* Faults.serve(pages.map((page) => Reply.page(page)))
    const server = yield* serving("-s", "x", "--base-url", service.origin, "--routes", routes, "--state-file", state)
    yield* server.idle
    const next = Effect.zipRight(server.pass("5 minutes"), server.idle)
    /** The samples of notifications, when they contain this text. */
    const metrics = (text: string) =>
      Effect.map(
        Effect.repeat(server.get("/metrics"), { until: (answer) => answer.text.includes(text) }),
        (answer) => answer.text.match(/^vigil_notifications.*/gm) ?? [],
      )
    return { ...server, service, next, metrics }
  })

describe("serve --routes", () => {
  it.scoped("sends the changes between polls, once over restarts, and counts them", () =>
    Effect.gen(function* () {
      const receiver = yield* receiving()
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
      ])
      // The sinks get what the page shows, without another list.
      expect(yield* first.service.requests).toHaveLength(2)
      yield* Fiber.interrupt(first.fiber)
      const second = yield* scene(receiver, [event("B"), ...over], [event("B", "Resolved"), ...over])
      yield* second.next
      expect(yield* receiver.message).toBe("b:resolved")
      expect(yield* Queue.size(receiver.messages)).toBe(0)
    }),
  )

  it.scoped("counts what a sink refuses and what waits for it", () =>
    Effect.gen(function* () {
      const replies = [Reply.empty(400)]
      const receiver = yield* receiving(() => replies.pop() ?? Reply.empty(503, { "retry-after": "3600" }))
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

  it.scoped("keeps serving if notifications can't be stored, and stores them after the next poll", () =>
    Effect.gen(function* () {
      const receiver = yield* receiving()
      const server = yield* scene(receiver, [], [event("A")], [event("A")])
      const stored = `${receiver.state}.notifications.hook`
      mkdirSync(stored)
      yield* server.next
      expect(yield* server.note).toMatch(
        /^vigil: Notifications failed, the next attempt is in 5m\. .*hook" could not be written/,
      )
      rmSync(stored, { recursive: true })
      // The sink was sent the notification that was not stored.
      expect(yield* receiver.message).toBe("a:opened")
      expect((yield* server.get("/readyz")).status).toBe(200)
      yield* server.next
      yield* server.metrics('result="delivered"} 1')
    }),
  )

  it.scoped("fails for a foreign state file, an unusable folder, and flags without a subscription", () =>
    Effect.gen(function* () {
      const { path, routes, state } = yield* receiving()
      const service = yield* Faults.serve(() => Reply.page([]))
      const to = ["--port", "0", "--base-url", service.origin, "--routes", routes]
      const tenant = yield* run(["serve", ...to, "--tenant-wide"])
      expect([tenant.code, tenant.notes.at(-1)]).toEqual([
        2,
        "vigil: --routes requires subscriptions: omit --resource and --tenant-wide.",
      ])
      const stateless = yield* run(["serve", "--sandbox", "--port", "0", "--state-file", state])
      expect([stateless.code, stateless.notes]).toEqual([2, ["vigil: --state-file requires --routes."]])
      writeFileSync(state, "{}")
      const foreign = yield* run(["serve", ...to, "-s", "x", "--state-file", state])
      expect([foreign.code, foreign.notes.at(-1)]).toEqual([2, expect.stringContaining("is not a state file of vigil")])
      const missing = yield* run(["serve", ...to, "-s", "x", "--state-file", `${path}/missing/state`])
      expect([missing.code, missing.notes.at(-1)]).toEqual([
        74,
        expect.stringContaining("could not be written (ENOENT)"),
      ])
    }),
  )
})
