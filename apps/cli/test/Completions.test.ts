import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Command from "../src/Command.js"
import * as Completions from "../src/Completions.js"
import * as Flag from "../src/Flag.js"
import { folder } from "./folder.js"
import { run } from "./run.js"

const scriptOf = (shell: string) => Effect.map(run(`completions ${shell}`), ({ data }) => data.join("\n"))

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

const leaf = { examples: [], flags: {}, run: function* () {} }

/** A command with each kind of flag and argument. */
const root = Command.group({
  name: "vigil",
  description: "An example. Its second sentence",
  examples: [],
  commands: [
    Command.group({
      name: "events",
      description: "Events (of a day), and more",
      examples: [],
      commands: [
        Command.make({
          ...leaf,
          name: "list",
          description: "List what's new: all events",
          flags: {
            output: Flag.optional(Flag.oneOf(["json", "csv"], "format"), "Print in this format", "o"),
            limit: Flag.optional(Flag.integer("n"), "At most this many"),
            dataFile: Flag.optional(Flag.text("file"), "Read this file"),
          },
        }),
      ],
    }),
    Command.make({
      ...leaf,
      name: "send",
      description: "Send a file",
      args: {
        method: { ...Flag.oneOf(["GET", "PUT"], "method"), description: "The method" },
        file: { ...Flag.text("file"), description: "The file" },
      },
    }),
  ],
})

describe("completions", () => {
  it.each(["bash", "zsh", "fish"] as const)("for %s offer each kind of flag and argument", async (shell) => {
    const text = `${Completions.script(shell, root).join("\n")}\n`
    await expect(text).toMatchFileSnapshot(`golden/completions.${shell}.txt`)
  })

  it.scopedLive.each(["bash", "zsh", "fish"])("for %s are a valid script with all commands", (shell) =>
    Effect.gen(function* () {
      const text = yield* scriptOf(shell)
      const file = join(yield* folder, shell)
      writeFileSync(file, text)
      const { error, status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" })
      // Where the shell is not installed, there is nothing to check.
      if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      for (const word of ["remove-user", "checkpoint-file", "jsonl"]) expect(text).toContain(word)
      expect(text).toMatch(/^[\x20-\x7e…\n]*$/)
    }),
  )

  it.live.each([
    [["vigil", "apps", "re"], ["remove-user"]],
    [["vigil", "apps", "remove-user", "--dr"], ["--dry-run"]],
    [
      ["vigil", "events", "list", "-o", "j"],
      ["json", "jsonl"],
    ],
    [["vigil", "events", "list", "--output", "=", "y"], ["yaml"]],
    [["vigil", "events", "list", "--subscription", ""], []],
    [["vigil", "events", "list", "--checkpoint-file", "package.js"], ["package.json"]],
  ] as const)("in bash complete %j with %j", ([words, expected]) =>
    Effect.gen(function* () {
      expect(bashCompletions(yield* scriptOf("bash"), words)).toEqual(expected)
    }),
  )
})
