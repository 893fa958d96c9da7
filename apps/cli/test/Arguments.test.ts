import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "./run.js"

describe("a mistake in the arguments", () => {
  it.live.each([
    [
      "apps remve-user",
      `There is no command "vigil apps remve-user". Did you mean vigil apps remove-user? Run vigil apps`,
    ],
    ["apps remove", "Did you mean vigil apps remove-user?"],
    [
      "apps xyz",
      `There is no command "vigil apps xyz". There are list, remove-user, request, url, whoami. Run vigil apps`,
    ],
    ["sandbx", "Did you mean vigil sandbox?"],
    ["events list --subscriptoin x", "vigil events list has no flag --subscriptoin. Did you mean --subscription?"],
    ["events list --sub=x", "vigil events list has no flag --sub. Did you mean --subscription?"],
    ["events list -x", "vigil events list has no flag -x. Run with --help"],
    ["events list -o json --output=csv", "--output is given twice: give it once."],
    ["events list --output", "--output lacks its value: give --output table or json or jsonl or csv or yaml."],
    ["events list --output=jsn", `--output "jsn" is none of table, json, jsonl, csv, yaml. Did you mean json?`],
    ["sandbox --prt 1", "vigil sandbox has no flag --prt. Did you mean --port?"],
    ["sandbox --port x", "--port: 'x' is not a whole number."],
    ["sandbox extra", "Received unknown argument: 'extra'."],
    ["sandbox -- --port", "Received unknown argument: '--port'."],
    ["events list --log-level loud", `--log-level "loud" is none of all, trace, debug`],
    ["events list --log-level", "--log-level lacks its value: give one of all, trace, debug"],
    ["--completions bash", "vigil has no flag --completions of its own"],
  ] as const)("in vigil %s is named, with what was meant", ([line, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )

  it.live("is shown on one line, whatever it holds", () =>
    Effect.gen(function* () {
      const { notes } = yield* run(["events", "list", "--\u001b[2J\nx"])
      expect(notes).toHaveLength(1)
    }),
  )

  it.live("is not made of a flag that is near another", () =>
    Effect.gen(function* () {
      const near = yield* run("apps request POST apps --data-stdin --dry-run", { input: ["{}"] })
      expect(near).toMatchObject({ code: 0, notes: [] })
      expect((yield* run("apps request GET user --sandbox --log-level debug")).code).toBe(0)
    }),
  )

  it.live("is made of a flag in capitals, which would do nothing", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(
        "apps remove-user fleet/dispatch lin.wu@vigil.example --yes --DRY-RUN --sandbox",
      )
      expect(code).toBe(2)
      expect(notes).toEqual([expect.stringContaining("has no flag --DRY-RUN. Did you mean --dry-run?")])
    }),
  )
})

describe("the flags of every command", () => {
  it.live.each([
    "--log-level debug events list --sandbox --limit 1",
    "events --log-level=debug list --sandbox --limit 1",
    "events list --sandbox --limit 1 --log-level DEBUG",
    "events show --log-level=debug D5VD-GHJ --sandbox",
    "events show --sandbox D5VD-GHJ --no-color",
    "--debug events list --sandbox --limit 1",
    "events show --sandbox D5VD-GHJ --debug",
  ])("stand anywhere: vigil %s", (line) =>
    Effect.gen(function* () {
      expect(yield* run(line)).toMatchObject({ code: 0 })
    }),
  )

  it.live("are none behind --", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run("events show --sandbox -- --no-color")
      expect(code).not.toBe(0)
      expect(notes).toEqual([expect.stringContaining("--no-color")])
    }),
  )

  it.live("take the colour out of data and help", () =>
    Effect.gen(function* () {
      for (const line of ["events list --sandbox --limit 5", "events list --help"]) {
        const ground = { colour: true, width: 120 }
        expect((yield* run(line, ground)).data.join("")).toContain("\u001b[")
        expect((yield* run(`${line} --no-color`, ground)).data.join("")).not.toContain("\u001b")
      }
    }),
  )
})
