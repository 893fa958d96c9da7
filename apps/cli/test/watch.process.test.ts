import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { vigil } from "./spawned.js"

describe("events watch as a process", () => {
  it.scopedLive.each([
    ["on Ctrl-C", 130, (child: ChildProcess) => child.kill("SIGINT")],
    ["when its terminal is closed", 129, (child: ChildProcess) => child.kill("SIGHUP")],
    ["when its reader goes away", 141, (child: ChildProcess) => child.stdout?.destroy()],
  ] as const)("ends %s without a word, with %i, its state kept", ([, code, look]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "state")
      const args = ["events", "watch", "--sandbox", "--state-file", file]
      expect(yield* Effect.promise(() => vigil(args, { look }))).toMatchObject({ code, stderr: "" })
      const { events } = JSON.parse(readFileSync(file, "utf8")) as { readonly events: ReadonlyArray<unknown> }
      expect(events.length).toBeGreaterThan(0)
    }),
  )
})
