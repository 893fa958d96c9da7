/** Processes that end while they write a file. */
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { serveSubscriptions } from "../support/service.js"
import { vigil } from "../support/subprocess.js"

/** Makes Node print a line instead of renaming a file. */
const preload = `
const fs = require("node:fs")
fs.rename = () => process.stderr.write("renaming\\n")
require("node:module").syncBuiltinESMExports()
`

/** Runs a command that writes a file, and signals it when the temporary file is complete. `left` are the remaining files. */
const interrupted = (signal: NodeJS.Signals) =>
  Effect.gen(function* () {
    const [home, tools] = [yield* folder, yield* folder]
    writeFileSync(join(tools, "preload.cjs"), preload)
    const { origin } = yield* serveSubscriptions([Reply.page([]), Reply.page([])])
    const args = ["events", "report", "-s", "x", "--base-url", origin, "--out", join(home, "report.html")]
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
  it.live.each([
    ["SIGHUP", 129],
    ["SIGTERM", 143],
  ] as const)("leaves no temporary file after %s, and exits with %i", ([signal, expected]) =>
    Effect.gen(function* () {
      const { code, left } = yield* interrupted(signal)
      expect({ code, left }).toEqual({ code: expected, left: [] })
    }),
  )

  it.live("leaves a temporary file after SIGKILL, which the next run removes", () =>
    Effect.gen(function* () {
      const { args, home, left } = yield* interrupted("SIGKILL")
      expect(left).toEqual([expect.stringMatching(/^report\.html\..*\.part$/)])
      expect(yield* Effect.promise(() => vigil(args))).toMatchObject({ code: 0 })
      expect(readdirSync(home)).toEqual(["report.html"])
    }),
  )
})
