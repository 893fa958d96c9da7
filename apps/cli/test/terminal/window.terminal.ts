/** Lists, progress and keys in a terminal window. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import { month } from "@vigil/testing/snapshots"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import stringWidth from "fast-string-width"
import { open, type Window } from "./tmux.js"
import { serveSubscriptions } from "../support/service.js"

const events = month.events.slice(0, 12)

/** The settings of the terminal, as `stty` prints them. */
const terminalSettings = (window: Window, name: string) =>
  Effect.gen(function* () {
    yield* window.enter(`stty -a > ${name}`)
    yield* window.result
    return readFileSync(join(window.home, name), "utf8")
  })

describe("a list", () => {
  const openWindow = (options: { readonly columns?: number; readonly env?: Readonly<Record<string, string>> }) =>
    Effect.gen(function* () {
      const { origin } = yield* serveSubscriptions(() => Reply.page(events))
      return yield* open({ ...options, env: { HEALTH_BASE_URL: origin, HEALTH_SUBSCRIPTION: "s", ...options.env } })
    })

  it.live.each([[40], [200]] as const)("fits a window of %i columns, each event on a line", ([columns]) =>
    Effect.gen(function* () {
      const window = yield* openWindow({ columns })
      yield* window.enter("vigil events list 2> notes")
      const { code, lines } = yield* window.result
      expect(code).toBe(0)
      expect(lines).toHaveLength(events.length + 1)
      expect(yield* window.joined).toEqual(yield* window.lines)
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns)
    }),
  )

  it.live.each([
    ["is in color", {}, true],
    ["has no color with NO_COLOR, even with FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["has no color if the terminal has none", { TERM: "dumb" }, false],
  ] as const)("%s", ([, env, isShown]) =>
    Effect.gen(function* () {
      const window = yield* openWindow({ env })
      yield* window.enter("vigil events list 2> notes")
      expect((yield* window.result).code).toBe(0)
      const colored = (yield* window.colored).slice(-events.length - 1).join("\n")
      expect(colored.includes("\u001b[")).toBe(isShown)
    }),
  )

  it.live("shows its progress below the data that is printed meanwhile, and then removes it", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const { origin } = yield* serveSubscriptions([
        Reply.page([{ name: "A" }], "?page=2"),
        Effect.as(Deferred.await(release), Reply.page([{ name: "B" }])),
      ])
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      yield* window.enter("vigil events list -s s -o jsonl")
      yield* window.waitFor(/^\{"name":"A"\}\n1 page, 1 event/m)
      yield* Deferred.succeed(release, undefined)
      expect(yield* window.result).toEqual({
        code: 0,
        lines: [`{"name":"A"}`, `{"name":"B"}`, "2 events of s on 2 pages, updated in the last 3d"],
      })
    }),
  )
})

describe("Ctrl-C", () => {
  it.live.each([
    ["a watch", "events watch -s s", "Next poll at ", 0],
    ["a confirmation", "apps remove-user fleet/dispatch ada@vigil.example", "Type yes to continue:", 130],
  ] as const)("ends %s, and restores the terminal", ([, line, words, code]) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* serveSubscriptions([Reply.page([])])
      const env = { HEALTH_BASE_URL: origin, APPMGMT_BASE_URL: origin, APPMGMT_API_TOKEN: "token" }
      const window = yield* open({ columns: 100, env })
      const before = yield* terminalSettings(window, "before")
      yield* window.enter(`vigil ${line}`)
      yield* window.waitFor(words)
      yield* window.press("C-c")
      expect((yield* window.result).code).toBe(code)
      expect((yield* requests).map(({ method }) => method)).not.toContain("DELETE")
      expect(yield* window.isCursorShown).toBe(true)
      expect(yield* terminalSettings(window, "after")).toBe(before)
    }),
  )
})
