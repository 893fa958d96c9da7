/** Processes that end while they write a file. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { vigil } from "./spawned.js"

/** Makes Node say when a file is about to be renamed, and never rename it. */
const preload = `
const fs = require("node:fs")
fs.rename = () => process.stderr.write("renaming\\n")
require("node:module").syncBuiltinESMExports()
`

/** Runs a command that writes the file, ended by a signal when the temporary file is complete: what the folder holds then. */
const interrupted = (signal: NodeJS.Signals) =>
  Effect.gen(function* () {
    const [home, tools] = [yield* folder, yield* folder]
    writeFileSync(join(tools, "preload.cjs"), preload)
    const args = ["events", "report", "--sandbox", "--out", join(home, "report.html")]
    const { code, stderr } = yield* Effect.promise(() =>
      vigil(args, {
        env: { NODE_OPTIONS: `--require ${join(tools, "preload.cjs")}` },
        onStart: (child) => child.stderr?.once("data", () => child.kill(signal)),
      }),
    )
    expect(stderr).toBe("renaming\n")
    return { args, code, home, left: readdirSync(home) }
  })

describe("a process that ends while it writes a file", () => {
  it.scopedLive.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s leaves no temporary file, and ends with %i", ([signal, expected]) =>
    Effect.gen(function* () {
      const { code, left } = yield* interrupted(signal)
      expect({ code, left }).toEqual({ code: expected, left: [] })
    }),
  )

  it.scopedLive("by SIGKILL leaves a temporary file, which the next run removes", () =>
    Effect.gen(function* () {
      const { args, home, left } = yield* interrupted("SIGKILL")
      expect(left).toEqual([expect.stringMatching(/^report\.html\..*\.part$/)])
      expect(yield* Effect.promise(() => vigil(args))).toMatchObject({ code: 0 })
      expect(readdirSync(home)).toEqual(["report.html"])
    }),
  )
})
