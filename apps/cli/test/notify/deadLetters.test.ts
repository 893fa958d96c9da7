/** `notify dead-letters` lists, resends and removes dead letters. */
import { rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { afterEach, vi } from "vitest"
import { event, startReceiver } from "../support/receiver.js"
import { run, type RunOptions } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

/** A sink that rejects messages until a test sets its status, a service with these pages, and a watch with a state file. */
const start = (...pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.gen(function* () {
    const sink = { status: 400 }
    const receiver = yield* startReceiver(() => Reply.empty(sink.status))
    const service = yield* serveSubscriptions(pages.map((page) => Reply.page(page)))
    const files = ["--state-file", receiver.state]
    const from = ["-s", "x", "--base-url", service.origin]
    const watch = run(["events", "watch", "--once", ...from, "--routes", receiver.routes, ...files])
    const deadLetters = (args: ReadonlyArray<string> = [], options?: RunOptions) =>
      run(["notify", "dead-letters", receiver.routes, ...files, ...args], options)
    const received = Queue.clear(receiver.messages)
    return { ...receiver, sink, watch, deadLetters, received }
  })

describe("notify dead-letters", () => {
  it.effect("lists dead letters without secrets, and sends no requests", () =>
    Effect.gen(function* () {
      const { deadLetters, received, watch } = yield* start([event("A")])
      expect((yield* watch).code).toBe(1)
      yield* received
      vi.stubEnv("HOOK_URL", undefined)
      expect(yield* deadLetters()).toMatchObject({
        code: 0,
        notes: [],
        data: [
          "SINK\tFAILED (UTC)\tTRACKING ID\tSTATE\tTITLE\tERROR",
          expect.stringMatching(/^hook\t1970-01-01 00:00\tA\topened\ttitle of A\tWebhook.deliver: .* responded 400/),
        ],
      })
      expect(yield* received).toEqual([])
    }),
  )

  it.effect("resends dead letters, and lists those that are left", () =>
    Effect.gen(function* () {
      const { deadLetters, received, sink, watch } = yield* start([event("A")])
      yield* watch
      const refused = yield* deadLetters(["--resend", "-o", "csv"])
      expect([refused.code, refused.data.length]).toEqual([1, 2])
      expect(refused.notes.at(-1)).toMatch(/^vigil: Could not notify hook: .*0 waiting, 1 dead letter\.$/)
      sink.status = 204
      expect(yield* deadLetters(["--resend", "-o", "json"])).toMatchObject({
        code: 0,
        notes: ["1 dead letter sent again"],
        data: ["[]"],
      })
      expect(yield* received).toEqual(["a:opened", "a:opened", "a:opened"])
      expect((yield* watch).code).toBe(0)
      expect(yield* received).toEqual([])
    }),
  )

  it.effect("does not resend a dead letter if its event has a later notification", () =>
    Effect.gen(function* () {
      const { deadLetters, received, sink, watch } = yield* start([event("A")], [event("A", "Resolved")])
      yield* watch
      sink.status = 204
      yield* watch
      const { code, data, notes } = yield* deadLetters(["--resend", "-o", "jsonl"])
      expect([code, data.length, ...notes]).toEqual([
        0,
        1,
        "vigil: Skipped 1 dead letter: a later notification of the event exists. Pass --remove to remove what is left.",
      ])
      expect(yield* received).toEqual(["a:opened", "a:resolved"])
    }),
  )

  it.effect("removes dead letters after a confirmation", () =>
    Effect.gen(function* () {
      const { deadLetters, watch } = yield* start([event("A")], [event("A"), event("B")])
      yield* watch
      yield* watch
      const left = Effect.map(deadLetters(["-o", "jsonl"]), ({ data }) => data.length)
      expect(yield* deadLetters(["--remove"])).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("2 dead letters will be removed")],
      })
      expect((yield* deadLetters(["--remove"], { answers: ["no"] })).code).toBe(1)
      expect(yield* left).toBe(2)
      expect((yield* deadLetters(["--remove", "--yes"])).code).toBe(0)
      expect(yield* left).toBe(0)
      expect((yield* deadLetters(["--remove"])).code).toBe(0)
    }),
  )

  it.effect("fails for an invalid file and for --resend with --remove, and notes a missing file", () =>
    Effect.gen(function* () {
      const { deadLetters, state } = yield* start([])
      expect(yield* deadLetters()).toMatchObject({
        code: 0,
        notes: [
          `vigil: No notifications are stored for ${JSON.stringify(state)}. Check --state-file.`,
          "No dead letters",
        ],
      })
      expect((yield* deadLetters(["--resend", "--remove"])).code).toBe(2)
      writeFileSync(`${state}.notifications.hook`, "{}")
      expect((yield* deadLetters()).code).toBe(2)
      rmSync(`${state}.notifications.hook`)
    }),
  )
})
