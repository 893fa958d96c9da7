/** Lists and help pages in a terminal window: never wider than the window, and in color if enabled. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import { month } from "../snapshots.js"
import { open, type Options } from "./tmux.js"

const events = month.events.slice(0, 12)
const [first] = events

/** Opens a window with a service that always returns the same events. */
const openWindow = (options: Options = {}) =>
  Effect.gen(function* () {
    const { origin } = yield* Faults.serve(({ target }) =>
      // The service supports only lists.
      /\/events\/./.test(target) ? Reply.empty(404) : Reply.page(events),
    )
    return yield* open({ ...options, env: { HEALTH_BASE_URL: origin, HEALTH_SUBSCRIPTION: "s", ...options.env } })
  })

describe("in a window", () => {
  it.scopedLive.each([[40], [80], [200]] as const)("of %i columns, a list fits, each event on a line", ([columns]) =>
    Effect.gen(function* () {
      const window = yield* openWindow({ columns })
      yield* window.enter("vigil events list 2> notes")
      const { code, lines } = yield* window.result
      expect(code).toBe(0)
      expect(lines).toHaveLength(events.length + 1)
      expect(yield* window.joined).toEqual(yield* window.lines)
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns)
      yield* window.enter("clear; grep -c TYPE, notes")
      expect((yield* window.result).lines).toEqual([columns < 200 ? "1" : "0"])
    }),
  )

  it.scopedLive("an event is shown completely, with wrapped texts", () =>
    Effect.gen(function* () {
      const window = yield* openWindow({ columns: 72 })
      yield* window.enter(`vigil events show ${first?.name}`)
      const { code, lines } = yield* window.result
      expect(code).toBe(0)
      expect(yield* window.joined).toEqual(yield* window.lines)
      expect(lines.length).toBeGreaterThan(20)
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(72)
    }),
  )

  it.scopedLive("of unknown width, a list has 80 columns", () =>
    Effect.gen(function* () {
      const window = yield* openWindow()
      yield* window.enter("vigil events list 2> notes")
      const usual = yield* window.result
      yield* window.enter("stty cols 0; vigil events list 2> notes")
      expect(yield* window.result).toEqual(usual)
    }),
  )

  it.scopedLive("a list piped to head ends without a message", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve((_, index) => Reply.page([{ name: `E${index}` }], `?page=${index + 2}`))
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      yield* window.enter("vigil events list -s s -o jsonl | head -1")
      expect(yield* window.result).toEqual({ code: 0, lines: [`{"name":"E0"}`] })
    }),
  )
})

/** The start of a color or style sequence. */
const color = "\u001b["

describe("color", () => {
  it.scopedLive.each([
    ["is shown", {}, true],
    ["is shown when NO_COLOR is empty", { NO_COLOR: "" }, true],
    ["is not shown with NO_COLOR", { NO_COLOR: "1" }, false],
    ["is not shown with NO_COLOR, even with FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["is not shown if the terminal has no colors", { TERM: "dumb" }, false],
  ] as const)("%s", ([, env, isShown]) =>
    Effect.gen(function* () {
      const window = yield* openWindow({ env })
      yield* window.enter("vigil --help")
      const help = yield* window.result
      expect(help.lines).toContain("EXAMPLES")
      expect((yield* window.colored).join("\n").includes(`${color}1mEXAMPLES`)).toBe(isShown)
      yield* window.enter("clear; vigil events list 2> notes")
      const list = yield* window.result
      expect([help.code, list.code]).toEqual([0, 0])
      // Node prints its own warning if both variables are set.
      if (!("FORCE_COLOR" in env)) expect(list.lines).toHaveLength(events.length + 1)
      expect(
        (yield* window.colored)
          .slice(-events.length - 1)
          .join("\n")
          .includes(color),
      ).toBe(isShown)
    }),
  )
})
