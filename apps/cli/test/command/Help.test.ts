import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Commands from "../support/commands.js"
import { run } from "../support/run.js"

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
