/** Long texts that slow down code whose time is not linear. A test whose code is too slow fails by its timeout. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as PlainHtml from "@vigil/notify/PlainHtml"
import * as TerminalText from "../src/output/TerminalText.js"
import * as Html from "../src/report/Html.js"
import { folder } from "./folder.js"
import { run } from "./run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** In bytes. Linear time is far less than the timeout of a test, and quadratic time is far more. */
const size = process.env["LARGE_INPUTS"] === undefined ? 100_000 : 1_000_000

/** The repeated texts by name. */
const units = {
  dots: ".",
  emoji: "😀",
  "combining marks": "\u0301",
  brackets: "[(<",
  "the parameters of an escape sequence": ";?",
} as const

const textOf = (unit: string, bytes = size) =>
  `https://a.example/\u001b${unit.repeat(bytes / Buffer.byteLength(unit))}x`

/** Events with the text in each field that a command prints, measures or compares. */
const events = (text: string): ReadonlyArray<object> => {
  const base = {
    eventType: "ServiceIssue",
    status: "Active",
    lastUpdateTime: "2026-03-10T12:00:00Z",
    impactStartTime: "2026-03-10T11:00:00Z",
  }
  const region = { impactedRegion: "West Europe", updates: [] }
  return [
    { status: text, eventType: text, eventLevel: text },
    {
      title: text,
      summary: text,
      description: `<a href='${text}'>${text}</a>`,
      impact: [
        { impactedService: text, impactedRegions: [region] },
        { impactedService: "DNS", impactedRegions: [{ impactedRegion: text, status: text }] },
        { impactedService: "DNS", impactedRegions: [{ ...region, updates: [{ summary: text }] }] },
      ],
      recommendedActions: { message: text, actions: [{ actionText: text }] },
      faqs: [{ question: text, answer: text }],
      links: [{ displayText: { value: text }, parameters: { x: text } }],
      [text]: text,
    },
  ].map((properties, index) => ({
    id: `/events/${index}`,
    name: `AB12-CD${index}`,
    properties: { ...base, ...properties },
  }))
}

const serveText = (text: string, all = events(text)) =>
  Effect.gen(function* () {
    const { origin } = yield* Faults.serve(({ target }) => {
      if (target.startsWith("/v0.1/apps")) return Reply.json([{ name: text, display_name: text, description: text }])
      return target.startsWith("/v0.1/") ? Reply.json({ name: text, email: text }) : Reply.page(all)
    })
    vi.stubEnv("HEALTH_BASE_URL", origin)
    vi.stubEnv("APPMGMT_BASE_URL", origin)
    vi.stubEnv("APPMGMT_API_TOKEN", "token")
  })

describe.each(Object.entries(units))("a long text of %s", (_, unit) => {
  const text = textOf(unit)

  it.scopedLive.each([
    ...["table", "wide", "csv", "json", "jsonl", "yaml"].map((format) => `events list -s x -o ${format}`),
    "apps list",
    "apps whoami",
    "apps whoami -o csv",
    "apps whoami -o yaml",
    "events list -s x --region eastus --service sql",
    "events list --subscriptions-file -",
    "events timeline -s x --since 2026-02-01 --events",
    "events timeline -s x --since 2026-02-01 -o csv",
    "events watch --once --lookback 365d -s x",
    "events watch --once --lookback 365d -s x -o jsonl",
  ])("is printed by %s", (line) =>
    Effect.gen(function* () {
      yield* serveText(text)
      const { code } = yield* run(line, { width: 80, input: ["x"] })
      expect(code).toBe(0)
    }),
  )

  it.scopedLive.each([
    ["a pipe", {}, size],
    // Every field is split into grapheme clusters there, which takes quadratic time on Node 20.
    ["a terminal", { width: 80 }, size / 20],
  ] as const)("is printed by events show in %s", ([, options, bytes]) =>
    Effect.gen(function* () {
      const all = events(textOf(unit, bytes))
      yield* serveText(text, all)
      for (const index of all.keys()) expect((yield* run(`events show AB12-CD${index} -s x`, options)).code).toBe(0)
    }),
  )

  it.scopedLive("is written by events report", () =>
    Effect.gen(function* () {
      yield* serveText(text)
      const file = join(yield* folder, "report.html")
      const ended = yield* run(["events", "report", "-s", "x", "--since", "2026-02-01", "--out", file])
      expect(ended).toMatchObject({ code: 0, notes: [expect.stringContaining("2 events")] })
    }),
  )
})

describe("a text of a service", () => {
  it("loses its escape sequences in linear time", () => {
    expect(TerminalText.line(`a\u001b${";?".repeat(1_000_000)}`)).toHaveLength(2_000_000)
    expect(TerminalText.line("\u009b".repeat(1_000_000))).toBe("")
  })

  it("is escaped in a report, also if it has millions of words", () => {
    const text = `${"a ".repeat(5_000_000)}b`
    expect(Html.print(Html.html`${text}`) === text).toBe(true)
  })

  it("is read as HTML in linear time", () => {
    expect(PlainHtml.text(`<a href='${"@".repeat(90_000)}/'>x</a>`)).toBe("x")
  })
})
