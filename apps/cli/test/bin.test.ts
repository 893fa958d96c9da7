/** `--version` and `--help` print the same text with and without loading the full program. */
import { execFileSync } from "node:child_process"
import { cpSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { run } from "./run.js"
import { bin, vigil } from "./subprocess.js"

const root = dirname(dirname(bin))

describe.each(["--version", "--help"])("vigil %s without a terminal", (flag) => {
  it.live("prints the same bytes as the full program, without loading it", () =>
    Effect.gen(function* () {
      const stdout = (yield* run(flag)).data.map((line) => `${line}\n`).join("")
      // With another argument, the full program runs.
      expect(yield* Effect.promise(() => vigil([flag, "--no-color"]))).toEqual({ code: 0, stdout, stderr: "" })
      const bare = yield* folder
      const isFullProgram = (file: string) => /[/\\]Process-\w+\.js$/.test(file)
      // A cached build may contain such files of earlier builds.
      expect(readdirSync(join(root, "dist")).filter((name) => isFullProgram(`/${name}`))).not.toEqual([])
      cpSync(join(root, "package.json"), join(bare, "package.json"))
      cpSync(join(root, "dist"), join(bare, "dist"), { recursive: true, filter: (file) => !isFullProgram(file) })
      expect(execFileSync(process.execPath, [join(bare, "dist/bin.js"), flag], { encoding: "utf8" })).toBe(stdout)
    }),
  )

  it.live("exits with 141 without a message if its reader has closed the pipe", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.promise(() => vigil([flag], { onStart: (child) => child.stdout?.destroy() }))
      expect(ended).toEqual({ code: 141, stdout: "", stderr: "" })
    }),
  )
})
