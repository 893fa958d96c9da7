/** The built command on Bun and Deno. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Runtimes from "@vigil/testing/Runtimes"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import { folder } from "../support/folder.js"
import { type RunOptions, vigil } from "../support/subprocess.js"

describe.each(["bun", "deno"] as const)("the command on %s", (name) => {
  const run = (args: string, options: RunOptions = {}) =>
    Effect.promise(() => vigil(args.split(" "), { runtime: Runtimes.commands[name](), ...options }))

  it.live("lists events as JSON", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* run("events list --sandbox --output json")
      expect(code).toBe(0)
      expect(JSON.parse(stdout).length).toBeGreaterThan(100)
    }),
  )

  it.live("says who broke a resource, also by its exit code", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* run("why web-1 --sandbox --subscription Production")
      expect(stdout).toMatch(/^The platform: /)
      expect(code).toBe(10)
    }),
  )

  it.live("prints changes since the last run with a state file", () =>
    Effect.gen(function* () {
      const { accessToken, baseUrl, world } = yield* Sandbox.make()
      const env = { HEALTH_BASE_URL: baseUrl, HEALTH_ACCESS_TOKEN: Redacted.value(accessToken) }
      const file = join(yield* folder, "state")
      const watch = run(`events watch --once -s ${world.subscriptions[0].id} --state-file ${file}`, { env })
      expect(yield* watch).toMatchObject({ code: 0, stdout: expect.stringContaining("Appeared"), stderr: "" })
      expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pending: [] })
      expect(yield* watch).toEqual({ code: 0, stdout: "", stderr: "" })
    }),
  )

  it.live("serves the page and metrics until SIGTERM", () =>
    Effect.gen(function* () {
      let bodies: ReadonlyArray<string> = []
      const visit = async (url: string) => {
        await vi.waitFor(async () => expect((await fetch(new URL("readyz", url))).status).toBe(200), 60_000)
        const read = async (path: string) => (await fetch(new URL(path, url))).text()
        bodies = await Promise.all(["", "metrics"].map(read))
      }
      const { code } = yield* run("serve --sandbox --port 0", {
        onStart: (child) =>
          child.stdout?.once("data", (url) => void visit(String(url).trim()).finally(() => child.kill("SIGTERM"))),
      })
      expect(bodies).toEqual([
        expect.stringMatching(/^<!doctype html>/),
        expect.stringContaining("\nvigil_issue_active{"),
      ])
      expect(code).toBe(0)
    }),
  )
})
