import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as Commands from "../support/commands.js"
import { run } from "../support/run.js"
import { split } from "../support/shell.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Whether an example waits, or reads or writes a file. The tests of its command run such examples. */
const isElsewhere = (line: string): boolean =>
  /^vigil (init |sandbox (?!--fault list)|events watch (?!.*--once)|events list .*--subscriptions-file|auth login (?!.*--token-stdin)|events report |fleet |mcp |notify |serve)/.test(
    line,
  )

describe("help", () => {
  it.live("of every command has one line per flag at 100 columns, and examples", () =>
    Effect.gen(function* () {
      for (const path of Commands.all.keys()) {
        const { code, data, notes } = yield* run(`${path.replace(/^vigil/, "")} --help`)
        expect({ path, code, notes }).toEqual({ path, code: 0, notes: [] })
        expect(data.length).toBeLessThan(60)
        expect(data.join("\n")).toMatch(/^[\x20-\x7e…\n]*$/)
        expect(data).toContain("EXAMPLES")
        expect(data.filter((line) => line.length > 100 && !line.startsWith("  vigil"))).toEqual([])
        const flags = data.slice(data.indexOf("FLAGS") + 1)
        // Each flag is on one line.
        expect(flags.slice(0, flags.indexOf("")).filter((line) => !/^ {2}-/.test(line))).toEqual([])
      }
    }),
  )

  it.live("describes the named command, wherever the flag is", () =>
    Effect.gen(function* () {
      const page = (yield* run("events list --help")).data
      for (const line of ["events list -s x -h", "--help events list", "events -h list --nope", "events help list"])
        expect((yield* run(line)).data).toEqual(page)
      for (const line of ["", "help"]) expect((yield* run(line)).data).toEqual((yield* run("--help")).data)
      expect((yield* run("events")).data).toEqual((yield* run("events --help")).data)
    }),
  )

  it.live("contains the usage, the flags with their values, and the arguments", () =>
    Effect.gen(function* () {
      const { data } = yield* run("apps remove-user --help")
      expect(data).toContain("  vigil apps remove-user <owner/app> <email> [flags]")
      expect(data).toContainEqual(expect.stringMatching(/^ {2}<email> {6}\S/))
      expect(data).toContainEqual(expect.stringMatching(/^ {2}-y, --yes {14}\S/))
      expect(data).toContainEqual(expect.stringMatching(/^ {2}-o, --output <format> {2}\S.*\(default: table\)$/))
    }),
  )
})

describe("the examples of a command", () => {
  it.live.each([...Commands.all].map(([path, { examples }]) => [path, examples] as const))(
    "exit with 0, and there is at least one: %s",
    ([, examples]) =>
      Effect.gen(function* () {
        vi.stubEnv("APPMGMT_BASE_URL", "https://apps.example")
        expect(examples).not.toEqual([])
        for (const line of examples.filter((one) => !isElsewhere(one))) {
          const input = line.includes("--token-stdin") ? ["sandbox-api-token"] : []
          const { code, data } = yield* run(split(line).slice(1), { input })
          expect({ line, code }).toEqual({ line, code: 0 })
          // Login and logout print notes only.
          if (!line.startsWith("vigil auth log")) expect({ line, data }).not.toEqual({ line, data: [] })
        }
      }),
  )
})
