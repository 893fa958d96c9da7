import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { vigil } from "../support/subprocess.js"

/** The fields of a state file that these tests read. */
interface Stored {
  readonly events: ReadonlyArray<unknown>
  readonly pending: ReadonlyArray<unknown>
}

describe("events watch as a process", () => {
  it.live.each([
    ["on Ctrl-C", 0, "delivered", (child: ChildProcess) => child.kill("SIGINT")],
    ["when its terminal is closed", 129, "delivered", (child: ChildProcess) => child.kill("SIGHUP")],
    ["when the reader closes the pipe", 141, "pending", (child: ChildProcess) => child.stdout?.destroy()],
  ] as const)("ends %s without a message and with %i, and stores the changes as %s", ([, code, as, onFirstOutput]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "state")
      const args = ["events", "watch", "--sandbox", "-s", "Production", "--state-file", file]
      expect(yield* Effect.promise(() => vigil(args, { onFirstOutput }))).toMatchObject({ code, stderr: "" })
      const { events, pending } = JSON.parse(readFileSync(file, "utf8")) as Stored
      expect(as === "pending" ? pending.length : events.length - pending.length).toBeGreaterThan(0)
    }),
  )
})
