import { spawnSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "./run.js"

const script = (shell: string) => Effect.map(run(`completions ${shell}`), ({ data }) => data.join("\n"))

/** The completions of bash for the last of these words. */
const bashCompletions = (bash: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const commands = [
    bash,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    "_vigil",
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join("\n")
  const { status, stdout } = spawnSync("bash", ["-c", commands], { encoding: "utf8" })
  expect(status).toBe(0)
  return stdout.split("\n").filter((line) => line !== "")
}

describe("completions", () => {
  it.live.each(["bash", "zsh", "fish"])("for %s are a valid script with all commands", (shell) =>
    Effect.gen(function* () {
      const text = yield* script(shell)
      const { error, status, stderr } = spawnSync(shell, ["-n"], { input: text, encoding: "utf8" })
      // Where the shell is not installed, there is nothing to check.
      if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      for (const word of ["events", "remove-user", "completions", "subscription", "data-file", "jsonl", "2025-04-01"])
        expect(text).toContain(word)
      expect(text).toMatch(/^[\x20-\x7e…\n]*$/)
    }),
  )

  it.live.each([
    [["vigil", "ev"], ["events"]],
    [
      ["vigil", "apps", "re"],
      ["remove-user", "request"],
    ],
    [["vigil", "apps", "remove-user", "--dr"], ["--dry-run"]],
    [["vigil", "apps", "request", "--yes", "--data-s"], ["--data-stdin"]],
    [
      ["vigil", "events", "list", "-o", "j"],
      ["json", "jsonl"],
    ],
    [["vigil", "events", "list", "--output", "=", "y"], ["yaml"]],
    [
      ["vigil", "events", "list", "--output", "="],
      ["table", "wide", "json", "jsonl", "csv", "yaml"],
    ],
    [["vigil", "events", "list", "--subscription", ""], []],
    [["vigil", "--ver"], ["--version"]],
    [["vigil", "completions", "z"], ["zsh"]],
    [
      ["vigil", "apps", "request", "P"],
      ["POST", "PUT", "PATCH"],
    ],
    [["vigil", "notify", "check", "package.js"], ["package.json"]],
    [["vigil", "apps", "request", "POST", "x", "--data-file", "package.js"], ["package.json"]],
  ] as const)("in bash complete %j with %j", ([words, expected]) =>
    Effect.gen(function* () {
      expect(bashCompletions(yield* script("bash"), words)).toEqual(expected)
    }),
  )

  it.live("for another shell are an error that names the supported shells", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run("completions powershell")
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([`vigil: <shell> "powershell" is invalid: pass bash, zsh or fish.`])
    }),
  )
})
