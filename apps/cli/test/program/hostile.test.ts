import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import stringWidth from "fast-string-width"
import { afterEach, vi } from "vitest"
import { readers } from "../support/formats.js"
import { events, findHarm, texts } from "../support/hostile.js"
import { run, type Run } from "../support/run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const width = 72

/** Starts a service that sends this text in every field, and sets it as the base URL of both services. */
const serveText = (text: string) =>
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

/** The first harmful character of each line of a run that has one. */
const harms = ({ data, notes }: Run) => [...data, ...notes].map(findHarm).filter((one) => one !== undefined)

const cells = (text: string) =>
  (parseCsv(text, { relax_column_count: true }) as ReadonlyArray<ReadonlyArray<string>>).flat()

/** The commands that print text of a service. */
const commands = [
  "events list -s x",
  "events show AB12-CD0 -s x",
  "events show AB12-CD0 --details -s x",
  "events timeline -s x --since 2026-02-01",
  "apps list",
  "apps whoami",
  "events list -s broken",
  "events watch --once --since 2026-02-01 -s x",
  "events list --subscriptions-file -",
]

/** Checks that each format for programs has the same data, contains the text, and has no harmful characters or formulas. */
const checkFormats = (line: string, text: string) =>
  Effect.gen(function* () {
    const format = (name: keyof typeof readers) =>
      Effect.map(run(`${line} -o ${name}`), (ended) => {
        expect([line, name, harms(ended)]).toEqual([line, name, []])
        return ended.data.join("\n")
      })
    const json = readers.json(yield* format("json"))
    const jsonl = readers.jsonl(yield* format("jsonl"))
    expect(jsonl).toEqual(Array.isArray(json) ? json : [json])
    expect(JSON.stringify(json)).toContain(JSON.stringify(text))
    expect(cells(yield* format("csv")).filter((cell) => /(?:^|[,;|]["\s]*)[=+\-@\t\r]/.test(cell))).toEqual([])
  })

const harmful = Object.entries(texts).filter(([, text]) => findHarm(text) !== undefined)

describe("in a terminal, every command", () => {
  it.live.each(harmful)("prints %s as harmless text", ([, text]) =>
    Effect.gen(function* () {
      yield* serveText(text)
      for (const line of commands) {
        const ended = yield* run(line, { width, input: ["x", "y", "broken"] })
        expect([line, harms(ended)]).toEqual([line, []])
        const widest = line.includes("list") ? Math.max(...ended.data.map((one) => stringWidth(one))) : 0
        expect(widest).toBeLessThanOrEqual(width)
      }
    }),
  )
})

describe("in formats for programs", () => {
  // Lists and single values are printed by different code, which all commands share.
  it.live.each(Object.entries(texts))("%s is unchanged in JSON, and is not a formula in CSV", ([, text]) =>
    Effect.gen(function* () {
      yield* serveText(text)
      for (const line of ["events list -s x", "events show AB12-CD0 -s x", "apps whoami"])
        yield* checkFormats(line, text)
    }),
  )
})
