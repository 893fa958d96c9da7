/** Two processes with one state file. */
import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { status } from "../support/statuses.js"
import { vigil } from "../support/subprocess.js"

const commands = {
  "events watch": ["events", "watch"],
  "resources list": ["resources", "list", "--watch"],
  serve: ["serve", "--port", "0", "--routes"],
}

const scene = (command: keyof typeof commands) =>
  Effect.gen(function* () {
    const path = yield* folder
    const state = join(path, "state")
    const routes = join(path, "routes.yaml")
    writeFileSync(
      routes,
      "sinks: { hook: { type: webhook, url: { env: HOOK }, secret: none } }\nroutes: [{ to: hook }]\n",
    )
    const { origin } = yield* Faults.serve(({ target }) =>
      Reply.page(target.includes("availabilityStatuses") ? [status("a", "Degraded")] : [{ name: "A" }]),
    )
    const file = command === "serve" ? [routes] : []
    const args = [...commands[command], ...file, "-s", "x", "--base-url", origin, "--state-file", state]
    const options = { env: { HOOK: `${origin}/hook` } }
    /** Starts the command, and returns its process when it prints. */
    const start = Effect.callback<ChildProcess>((resume) => {
      void vigil(args, { ...options, onFirstOutput: (child) => resume(Effect.succeed(child)) })
    })
    return {
      start,
      state,
      routes,
      run: (...args: ReadonlyArray<string>) => Effect.promise(() => vigil(args, options)),
      args,
    }
  })

const kill = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    child.once("close", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

describe("a state file", () => {
  it.live.each(["events watch", "resources list", "serve"] as const)(
    "of vigil %s refuses a second process, and names the first, until that is killed",
    (command) =>
      Effect.gen(function* () {
        const { args, run, start, state } = yield* scene(command)
        const first = yield* start
        const second = yield* run(...args)
        expect(second).toMatchObject({ code: 2, stdout: "" })
        expect(second.stderr).toContain(
          `The state file ${JSON.stringify(state)} is in use by process ${first.pid} (vigil ${command}, since 2`,
        )
        yield* kill(first)
        if (command === "serve") yield* kill(yield* start)
        else expect(yield* run(...args, "--once")).toMatchObject({ code: 0, stderr: "" })
      }),
  )

  it.live("that is in use keeps its dead letters, and lists them", () =>
    Effect.gen(function* () {
      const { routes, run, start, state } = yield* scene("serve")
      const first = yield* start
      const letters = ["notify", "dead-letters", routes, "--state-file", state]
      for (const flag of ["--remove", "--resend"])
        expect(yield* run(...letters, flag)).toMatchObject({ code: 2, stderr: expect.stringContaining("is in use by") })
      expect((yield* run(...letters)).code).toBe(0)
      yield* kill(first)
    }),
  )
})
