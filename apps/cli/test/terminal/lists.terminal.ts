/** What lists and pages of help are in a window: never wider than it, and in color where it is wanted. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import { month } from "../world.js"
import { open, type Options } from "./tmux.js"

const events = month.events.slice(0, 12)
const [first] = events

/** A window, and a service with the same events at any time. */
const ground = (options: Options = {}) =>
  Effect.gen(function* () {
    const { origin } = yield* Faults.serve(({ target }) =>
      // The service has no other operation.
      /\/events\/./.test(target) ? Reply.empty(404) : Reply.page(events),
    )
    return yield* open({ ...options, env: { HEALTH_BASE_URL: origin, HEALTH_SUBSCRIPTION: "s", ...options.env } })
  })

const golden = (name: string, lines: ReadonlyArray<string>) =>
  Effect.promise(() => expect(lines.join("\n")).toMatchFileSnapshot(`../golden/terminal/${name}.txt`))

describe("in a window", () => {
  it.scopedLive.each([[40], [80], [200]] as const)("of %i columns, a list fits, each event on a line", ([columns]) =>
    Effect.gen(function* () {
      const window = yield* ground({ columns })
      yield* window.enter("vigil events list 2> notes")
      const { code, lines } = yield* window.ended
      expect(code).toBe(0)
      expect(lines).toHaveLength(events.length + 1)
      expect(yield* window.joined).toEqual(yield* window.lines)
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns)
      yield* golden(`list-${columns}`, lines)
      yield* window.enter("clear; grep -c TYPE, notes")
      expect((yield* window.ended).lines).toEqual([columns < 200 ? "1" : "0"])
    }),
  )

  it.scopedLive("an event is shown whole, its texts in lines that fit", () =>
    Effect.gen(function* () {
      const window = yield* ground({ columns: 72 })
      yield* window.enter(`vigil events show ${first?.name}`)
      const { code, lines } = yield* window.ended
      expect(code).toBe(0)
      expect(yield* window.joined).toEqual(yield* window.lines)
      yield* golden("show", lines)
    }),
  )

  it.scopedLive("that does not say how wide it is, a list is as in most windows", () =>
    Effect.gen(function* () {
      const window = yield* ground()
      yield* window.enter("vigil events list 2> notes")
      const usual = yield* window.ended
      yield* window.enter("stty cols 0; vigil events list 2> notes")
      expect(yield* window.ended).toEqual(usual)
    }),
  )

  it.scopedLive("a list that is cut short by head ends quietly", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve((_, index) => Reply.page([{ name: `E${index}` }], `?page=${index + 2}`))
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      yield* window.enter("vigil events list -s s -o jsonl | head -1")
      expect(yield* window.ended).toEqual({ code: 0, lines: [`{"name":"E0"}`] })
    }),
  )
})

/** What begins a color or a style. */
const color = "\u001b["

describe("color", () => {
  it.scopedLive.each([
    ["is shown", {}, true],
    ["is shown when NO_COLOR is empty", { NO_COLOR: "" }, true],
    ["is not shown with NO_COLOR", { NO_COLOR: "1" }, false],
    ["is not shown with NO_COLOR, be there FORCE_COLOR too", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["is not shown where the terminal has none", { TERM: "dumb" }, false],
  ] as const)("%s", ([, env, isThere]) =>
    Effect.gen(function* () {
      const window = yield* ground({ env })
      yield* window.enter("vigil --help")
      const help = yield* window.ended
      expect(help.lines).toContain("EXAMPLES")
      expect((yield* window.colored).join("\n").includes(`${color}1mEXAMPLES`)).toBe(isThere)
      yield* window.enter("clear; vigil events list 2> notes")
      const list = yield* window.ended
      expect([help.code, list.code]).toEqual([0, 0])
      // Of both variables at once, Node warns on its own.
      if (!("FORCE_COLOR" in env)) expect(list.lines).toHaveLength(events.length + 1)
      expect(
        (yield* window.colored)
          .slice(-events.length - 1)
          .join("\n")
          .includes(color),
      ).toBe(isThere)
    }),
  )
})
