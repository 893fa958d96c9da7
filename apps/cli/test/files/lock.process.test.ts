/** Two processes with one state file. */
import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { serveSubscriptions } from "../support/service.js"
import { vigil } from "../support/subprocess.js"

const kill = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    child.once("close", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

it.live("a state file of a process refuses a second process, and names the first, until that is killed", () =>
  Effect.gen(function* () {
    const state = join(yield* folder, "state")
    const { origin } = yield* serveSubscriptions(() => Reply.page([{ name: "A" }]))
    const args = ["events", "watch", "-s", "x", "--base-url", origin, "--state-file", state]
    const run = (...more: ReadonlyArray<string>) => Effect.promise(() => vigil([...args, ...more]))
    const first = yield* Effect.callback<ChildProcess>((resume) => {
      void vigil(args, { onFirstOutput: (child) => resume(Effect.succeed(child)) })
    })
    const second = yield* run()
    expect(second).toMatchObject({ code: 2, stdout: "" })
    expect(second.stderr).toContain(`is in use by process ${first.pid} (vigil events watch, since 2`)
    yield* kill(first)
    expect(yield* run("--once")).toMatchObject({ code: 0, stderr: "" })
  }),
)
