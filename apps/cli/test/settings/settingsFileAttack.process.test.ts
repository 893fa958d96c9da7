/** Settings files that block or never end: a process that read them would hang. */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { vigil } from "../support/subprocess.js"

const makeFifo = (file: string) => execFileSync("sh", ["-c", `mkfifo "$0"`, file])

/** File types, and how to create them in place of the settings file. */
const fileTypes: ReadonlyArray<readonly [string, (file: string) => void]> = [
  ["a FIFO", (file: string) => makeFifo(file)],
  [
    "a link to a FIFO",
    (file: string) => {
      makeFifo(`${file}.fifo`)
      symlinkSync(`${file}.fifo`, file)
    },
  ],
  ["a device without an end", (file: string) => symlinkSync("/dev/zero", file)],
  ["stdin", (file: string) => symlinkSync("/dev/stdin", file)],
  ["a folder", (file: string) => mkdirSync(file)],
]

describe("a settings file", () => {
  it.live.each(fileTypes)("that is %s is rejected, and not read", ([, make]) =>
    Effect.gen(function* () {
      const config = yield* folder
      mkdirSync(join(config, "vigil"))
      make(join(config, "vigil", "config.json"))
      const ended = yield* Effect.promise(() =>
        vigil(["events", "list", "-s", "x"], {
          env: { XDG_CONFIG_HOME: config },
          onStart: (child) => {
            const timer = setTimeout(() => child.kill("SIGKILL"), 60_000)
            child.once("exit", () => clearTimeout(timer))
          },
        }),
      )
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toMatch(/The settings file ".*config\.json" is not a regular file\./)
    }),
  )
})
