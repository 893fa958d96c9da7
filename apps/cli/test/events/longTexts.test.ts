/** Long texts that slow down code whose time is not linear. A test whose code is too slow fails by its timeout. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** In bytes. Linear time is far less than the timeout of a test, and quadratic time is far more. */
const size = process.env["LARGE_INPUTS"] === undefined ? 250_000 : 1_000_000

const units = [".", "😀", "\u0301", "[(<", ";?"]

const textOf = (unit: string, bytes: number) =>
  `https://a.example/\u001b${unit.repeat(bytes / Buffer.byteLength(unit))}x`

/** An event with the text in each field that a command prints, measures or compares. */
const eventOf = (text: string) => ({
  id: "/events/0",
  name: "AB12-CD0",
  properties: {
    eventType: "ServiceIssue",
    status: "Active",
    lastUpdateTime: "2026-03-10T12:00:00Z",
    impactStartTime: "2026-03-10T11:00:00Z",
    eventLevel: text,
    title: text,
    summary: text,
    description: `<a href='${text}'>${text}</a>`,
    impact: [
      { impactedService: text, impactedRegions: [{ impactedRegion: "West Europe", updates: [] }] },
      { impactedService: "DNS", impactedRegions: [{ impactedRegion: text, status: text }] },
      { impactedService: "DNS", impactedRegions: [{ impactedRegion: "x", updates: [{ summary: text }] }] },
    ],
    recommendedActions: { message: text, actions: [{ actionText: text }] },
    faqs: [{ question: text, answer: text }],
    links: [{ displayText: { value: text }, parameters: { x: text } }],
    [text]: text,
  },
})

const serveText = (unit: string, bytes = size) =>
  Effect.gen(function* () {
    const { origin } = yield* serveSubscriptions(() => Reply.page([eventOf(textOf(unit, bytes))]))
    vi.stubEnv("HEALTH_BASE_URL", origin)
  })

/** JSON and the timeline do not look at the text more than once. */
const linesOf = (unit: string) => [
  ...["table", "csv"].map((format) => `events list -s x -o ${format}`),
  ...(unit === units[0] ? ["events list -s x -o json", "events timeline -s x --since 2026-02-01"] : []),
  "events watch --once --since 2026-02-01 -s x",
  "events show AB12-CD0 -s x",
]

describe.each(units)("a long text of %j", (unit) => {
  it.live.each(linesOf(unit))("is printed by %s", (line) =>
    Effect.gen(function* () {
      yield* serveText(unit)
      const { code, data } = yield* run(line)
      expect([code, data.join("\n").includes("https://a.example/")]).toEqual([0, true])
    }),
  )

  it.live("is written by events report", () =>
    Effect.gen(function* () {
      yield* serveText(unit)
      const file = join(yield* folder, "report.html")
      expect(yield* run(`events report -s x --since 2026-02-01 --out ${file}`)).toMatchObject({ code: 0 })
      expect(readFileSync(file, "utf8").includes("https://a.example/")).toBe(true)
    }),
  )
})
