/** The commands that use a state file lock it. */
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Lock from "../../src/files/Lock.js"
import { vi } from "vitest"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"
import { status } from "../support/statuses.js"
import { start } from "../support/watchRun.js"

const scene = Effect.gen(function* () {
  const path = yield* folder
  const routes = join(path, "routes.yaml")
  writeFileSync(
    routes,
    "sinks: { hook: { type: webhook, url: { env: HOOK }, secret: none } }\nroutes: [{ to: hook }]\n",
  )
  const { origin } = yield* serveSubscriptions(({ target }) =>
    Reply.page(target.includes("availabilityStatuses") ? [status("a", "Degraded")] : [{ name: "A" }]),
  )
  vi.stubEnv("HOOK", `${origin}/hook`)
  const state = join(path, "state")
  return { routes, state, args: ["-s", "x", "--base-url", origin, "--state-file", state] }
})

type Scene = Effect.Success<typeof scene>

const commands = {
  "events watch": ({ args }: Scene) => Effect.flatMap(start(["events", "watch", ...args]), (one) => one.pendingLine),
  "resources list": ({ args }: Scene) =>
    Effect.flatMap(start(["resources", "list", "--watch", ...args]), (one) => one.pendingLine),
  serve: ({ args, routes }: Scene) => startServer("--routes", routes, ...args),
}

const lock = (file: string) => Effect.provide(Lock.lock(file, "another"), NodeFileSystem.layer)

describe.concurrent("a state file", () => {
  it.live.each(["events watch", "resources list", "serve"] as const)(
    "is locked by vigil %s, which is named",
    (command) =>
      Effect.gen(function* () {
        const one = yield* scene
        yield* commands[command](one)
        expect((yield* Effect.flip(lock(one.state))).message).toContain(
          `The state file ${JSON.stringify(one.state)} is in use by process ${process.pid} (vigil ${command}, since 2`,
        )
      }),
  )

  it.live("is locked for links to it as well, also before it exists", () =>
    Effect.gen(function* () {
      const { state } = yield* scene
      const link = `${state}-link`
      symlinkSync("state", link)
      yield* lock(link)
      expect((yield* Effect.flip(lock(state))).message).toContain("is in use by")
      writeFileSync(state, "")
      expect((yield* Effect.flip(lock(link))).message).toContain("is in use by")
    }),
  )

  it.live("that is in use keeps its dead letters, and lists them", () =>
    Effect.gen(function* () {
      const { routes, state } = yield* scene
      writeFileSync(state, "")
      yield* lock(state)
      const letters = (...flags: ReadonlyArray<string>) =>
        run(["notify", "dead-letters", routes, "--state-file", state, ...flags])
      for (const refused of yield* Effect.all([letters("--remove"), letters("--resend")], { concurrency: 2 }))
        expect(refused).toMatchObject({ code: 2, notes: [expect.stringContaining("is in use by")] })
      expect((yield* letters()).code).toBe(0)
    }),
  )
})
