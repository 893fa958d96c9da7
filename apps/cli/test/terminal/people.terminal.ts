/** Progress, confirmations and keys in a terminal. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { open, type Window } from "./tmux.js"

/** A recent update time, because a watch prints only recent events. */
const now = new Date().toISOString()

const event = (name: string) => ({
  id: `/events/${name}`,
  name,
  properties: { title: `Trouble ${name}`, status: "Active", lastUpdateTime: now },
})

/** The settings of the terminal, as `stty` prints them. */
const terminalSettings = (window: Window, name: string) =>
  Effect.gen(function* () {
    yield* window.enter(`stty -a > ${name}`)
    yield* window.result
    return readFileSync(join(window.home, name), "utf8")
  })

describe("progress", () => {
  it.scopedLive("is shown below the data that is printed meanwhile, and then removed", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const { origin } = yield* Faults.serve([
        Reply.page([{ name: "A" }], "?page=2"),
        Reply.delayUntil(Deferred.await(release), Reply.page([{ name: "B" }])),
      ])
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      yield* window.enter("vigil events list -s s -o jsonl")
      yield* window.waitFor(/^\{"name":"A"\}\n1 page, 1 event/m)
      yield* Deferred.succeed(release, undefined)
      expect(yield* window.result).toEqual({
        code: 0,
        lines: [`{"name":"A"}`, `{"name":"B"}`, "2 events on 2 pages"],
      })
    }),
  )

  it.scopedLive("of a sweep is a bar, which is then removed", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const { origin } = yield* Faults.serve(({ target }) =>
        target.includes("/slow/")
          ? Reply.delayUntil(Deferred.await(release), Reply.page([event("B")]))
          : Reply.page([event("A")]),
      )
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      yield* window.enter("printf 'fast\\nslow\\n' | vigil events list --subscriptions-file -")
      yield* window.waitFor("[##########----------] 1/2 subscriptions, 0 failed, 1 event")
      yield* Deferred.succeed(release, undefined)
      const { code, lines } = yield* window.result
      expect(code).toBe(0)
      expect(lines).toHaveLength(5)
      expect(lines.at(-2)).toMatch(/^Hidden columns: .* Show them with --output wide\.$/)
      expect(lines.at(-1)).toBe("2 events of 2 subscriptions")
    }),
  )

  it.scopedLive("is not shown in a terminal that cannot erase it", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([Reply.page([{ name: "A" }], "?page=2"), Reply.page([{ name: "B" }])])
      const window = yield* open({ env: { HEALTH_BASE_URL: origin, TERM: "dumb" } })
      yield* window.enter("vigil events list -s s -o jsonl")
      expect(yield* window.result).toMatchObject({ code: 0, lines: { length: 3 } })
      const written = yield* window.readUntil("2 events on 2 pages")
      expect(written).toContain(`{"name":"A"}`)
      expect(written).not.toContain("\u001b")
    }),
  )
})

describe("events watch", () => {
  it.scopedLive("prints events and the time of the next poll, and restores the terminal on Ctrl-C", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([Reply.page([event("A"), event("B")])])
      const window = yield* open({ env: { HEALTH_BASE_URL: origin } })
      const before = yield* terminalSettings(window, "before")
      yield* window.enter("vigil events watch -s s")
      yield* window.waitFor(/^Next poll at \d\d:\d\d:\d\d UTC$/m)
      yield* window.press("C-c")
      const { code, lines } = yield* window.result
      expect(code).toBe(130)
      const minute = now.slice(0, 16).replace("T", " ")
      expect(lines.map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
        `${minute}  Appeared  A  Trouble A (Active)`,
        `${minute}  Appeared  B  Trouble B (Active)`,
      ])
      expect(yield* window.isCursorShown).toBe(true)
      expect(yield* terminalSettings(window, "after")).toBe(before)
    }),
  )
})

describe("the confirmation of apps remove-user", () => {
  const prompt = [
    "ada@vigil.example will be removed from fleet/dispatch and lose access to it.",
    "Type yes to continue:",
  ]

  const type = (text: string) => (window: Window) => window.answer(text)
  const press = (key: string) => (window: Window) => window.press(key)

  it.scopedLive.each([
    ["yes", type("yes"), 0, 1, ["ada@vigil.example was removed from fleet/dispatch."]],
    ["Ctrl-D", press("C-d"), 1, 0, ["vigil: Nothing was sent: the answer was not yes."]],
    ["Ctrl-C", press("C-c"), 130, 0, []],
  ] as const)("sends the request only after yes: %s", ([answer, act, exitCode, sent, notes]) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.text("{}")])
      const window = yield* open({ columns: 100, env: { APPMGMT_BASE_URL: origin, APPMGMT_API_TOKEN: "token" } })
      const before = yield* terminalSettings(window, "before")
      yield* window.enter("vigil apps remove-user fleet/dispatch ada@vigil.example")
      yield* window.waitFor("Type yes to continue:")
      expect(yield* requests).toEqual([])
      yield* act(window)
      const { code, lines } = yield* window.result
      expect({ code, lines }).toEqual({
        code: exitCode,
        lines: [prompt[0], answer.startsWith("Ctrl") ? prompt[1] : `${prompt[1]} ${answer}`, ...notes],
      })
      expect((yield* requests).map(({ method }) => method)).toEqual(sent === 0 ? [] : ["DELETE"])
      expect(yield* window.isCursorShown).toBe(true)
      expect(yield* terminalSettings(window, "after")).toBe(before)
    }),
  )
})
