import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"

const scriptOf = (shell: string) => Effect.map(run(`completions ${shell}`), ({ data }) => data.join("\n"))

/** The completions of bash for the last word of each line. */
const bashCompletions = (bash: string, lines: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const commands = lines.flatMap((words) => [
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    `COMP_LINE='${words.join(" ").replaceAll(" = ", "=")}'`,
    "COMP_POINT=${#COMP_LINE}",
    `_vigil_split vigil '${words.at(-1)}' '${words.at(-2)}'`,
    'echo "${COMPREPLY[@]}"',
  ])
  const { status, stdout } = spawnSync("bash", ["-c", [bash, ...commands].join("\n")], { encoding: "utf8" })
  expect(status).toBe(0)
  return stdout.trimEnd().split("\n")
}

describe("completions", () => {
  it.live.each([
    ["bash", "remove-user"],
    ["bash", "# Completions of vigil for bash. Add to ~/.bashrc: "],
    ["zsh", "'remove-user:Remove a user from an app'"],
    ["zsh", "(bash zsh fish powershell)"],
    ["fish", "-a 'remove-user' -d 'Remove a user from an app'"],
    ["fish", "-s y -d 'Do not ask for confirmation'"],
    ["powershell", "'checkpoint-file'"],
  ] as const)("for %s are a valid script with each kind of flag and argument: %s", ([shell, line]) =>
    Effect.gen(function* () {
      const text = yield* scriptOf(shell)
      const file = join(yield* folder, shell)
      writeFileSync(file, text)
      const { error, status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" })
      // Where the shell is not installed, there is nothing to check.
      if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      expect(text).toContain(line)
      expect(text).not.toContain("vigil --completions")
      expect(text).toMatch(/^[\x20-\x7e…\n]*$/)
    }),
  )

  it.live("in bash are commands, flags, values and files", () =>
    Effect.gen(function* () {
      const lines = [
        ["vigil", "apps", "re"],
        ["vigil", "apps", "remove-user", "--dr"],
        ["vigil", "events", "list", "--subscription", ""],
        ["vigil", "events", "list", "-o", "j"],
        ["vigil", "events", "list", "--output", "=", "c"],
        ["vigil", "events", "list", "--checkpoint-file", "package.js"],
      ]
      expect(bashCompletions(yield* scriptOf("bash"), lines)).toEqual([
        "remove-user",
        "--dry-run",
        "",
        "json jsonl",
        "csv",
        "package.json",
      ])
    }),
  )
})
