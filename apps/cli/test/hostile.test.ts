import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import { afterEach, vi } from "vitest"
import { readers } from "./formats.js"
import { events, harmIn, texts } from "./hostile.js"
import { run, type Run } from "./run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const width = 72

/** A service that says this wherever it says something; where to reach it is in the environment. */
const saying = (text: string) =>
  Effect.gen(function* () {
    const value = events(text)
    const app = {
      id: text,
      name: text,
      display_name: text,
      description: text,
      os: text,
      [text]: text,
      owner: { name: text, type: text },
    }
    const { origin } = yield* Faults.serve(({ method, target }) => {
      if (target.includes("/broken/")) return Reply.json({ error: { code: text, message: text } }, { status: 403 })
      if (target.startsWith("/v0.1/apps")) return Reply.json(method === "DELETE" ? {} : [app, { ...app, name: null }])
      if (target.startsWith("/v0.1/")) return Reply.json({ name: text, email: text, [text]: [text] })
      return target.includes("fetchEventDetails")
        ? Reply.json(value[0])
        : Reply.page([...value, { properties: { priority: text } }, text])
    })
    vi.stubEnv("HEALTH_BASE_URL", origin)
    vi.stubEnv("APPMGMT_BASE_URL", origin)
    vi.stubEnv("APPMGMT_API_TOKEN", "token")
    return value
  })

/** Each line of a run that a terminal would not only show. */
const harms = ({ data, notes }: Run) => [...data, ...notes].map(harmIn).filter((one) => one !== undefined)

const cells = (text: string) =>
  (parseCsv(text, { relax_column_count: true }) as ReadonlyArray<ReadonlyArray<string>>).flat()

/** A line for each command that prints what a service says, and whether it prints all of it. */
const commands = [
  ["events list -s x", "all"],
  ["events show AB12-CD0 -s x", "all"],
  ["events details AB12-CD0 -s x", "all"],
  ["events timeline -s x --since 2026-02-01", "some"],
  ["apps list", "all"],
  ["apps whoami", "all"],
  ["events list -s broken", "none"],
  ["apps request GET broken/x", "none"],
] as const

/** Prints in each format for programs: the same data, with the text, harmless in a terminal, and without a formula in a cell. */
const inAllFormats = (line: string, text?: string) =>
  Effect.gen(function* () {
    const format = (name: keyof typeof readers) =>
      Effect.map(run(`${line} -o ${name}`), (ended) => {
        expect([line, name, harms(ended)]).toEqual([line, name, []])
        return ended.data.join("\n")
      })
    const json = readers.json(yield* format("json"))
    const jsonl = readers.jsonl(yield* format("jsonl"))
    expect(jsonl).toEqual(Array.isArray(json) ? json : [json])
    expect(readers.yaml(yield* format("yaml"))).toEqual(json)
    if (text !== undefined) expect(JSON.stringify(json)).toContain(JSON.stringify(text))
    expect(cells(yield* format("csv")).filter((cell) => /(?:^|[,;|]["\s]*)[=+\-@\t\r]/.test(cell))).toEqual([])
  })

describe.each(Object.entries(texts))("%s", (_, text) => {
  it.scopedLive("is text for people, in every command", () =>
    Effect.gen(function* () {
      yield* saying(text)
      for (const [line] of [
        ...commands,
        ["events watch --once --lookback 365d -s x"],
        ["events sweep"],
        ["apps request GET apps"],
      ] as const) {
        const ended = yield* run(line, { width, input: ["x", "y", "broken"] })
        expect([line, harms(ended)]).toEqual([line, []])
        const widest = line.includes("list") ? Math.max(...ended.data.map((one) => stringWidth(one))) : 0
        expect(widest).toBeLessThanOrEqual(width)
      }
    }),
  )

  // Lists and single values are printed by different code, which all commands share.
  it.scopedLive("is the same text for programs, and no formula", () =>
    Effect.gen(function* () {
      yield* saying(text)
      for (const line of ["events list -s x", "apps list", "apps whoami"]) yield* inAllFormats(line, text)
    }),
  )
})

describe.each(["a formula", "colors and cursor moves"] as const)("%s", (name) => {
  it.scopedLive.each(commands.filter(([, prints]) => prints !== "none"))(
    "is the same text for programs in vigil %s",
    ([line, prints]) =>
      Effect.gen(function* () {
        yield* saying(texts[name])
        yield* inAllFormats(line, prints === "all" ? texts[name] : undefined)
      }),
  )
})
