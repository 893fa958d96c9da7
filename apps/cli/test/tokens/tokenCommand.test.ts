/** The token command: where it is set, and when it runs. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { makeScript, scene, stubCommand } from "../support/commandScene.js"
import { startReceiver } from "../support/receiver.js"
import { run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const token = "first.token.0001"

describe("the token command", () => {
  it.live("in the environment, a JSON array or words, overrides that of the user's file", () =>
    Effect.gen(function* () {
      const { argv, authorization, origin, runs, workspace } = yield* scene
      const authorizationNow = Effect.andThen(run("events list"), authorization)
      workspace.write(workspace.user, JSON.stringify({ tokenCommand: argv("file"), healthBaseUrl: origin }))
      expect(yield* authorizationNow).toBe("Bearer file")
      stubCommand(argv(token))
      expect(yield* authorizationNow).toBe(`Bearer ${token}`)
      vi.stubEnv("HEALTH_TOKEN_COMMAND", ` ${argv("words").join("  ")}\t`)
      expect(yield* authorizationNow).toBe("Bearer words")
      expect(runs()).toBe(3)
    }),
  )

  it.live("of the user's file applies only to the base URL of that file", () =>
    Effect.gen(function* () {
      const { argv, authorization, origin, runs, workspace } = yield* scene
      const cases = [
        [{ healthBaseUrl: "https://other.example/path" }, "https://other.example"],
        [{}, `healthBaseUrl in ${JSON.stringify(workspace.user)} (missing or invalid)`],
      ] as const
      for (const [settings, place] of cases) {
        workspace.write(workspace.user, JSON.stringify({ ...settings, tokenCommand: argv(token) }))
        const list = yield* run(`events list --base-url ${origin}`)
        expect(list.notes[0]).toContain(place)
        const status = yield* run("auth status")
        expect(status.notes[0]).toContain(place)
        expect([list.code, status.code]).toEqual([3, 1])
      }
      workspace.write(workspace.tokenFile("health"), JSON.stringify({ token: "stored", origin }))
      expect((yield* run("events list")).notes).toEqual([expect.stringMatching(/^0 events of /)])
      expect(yield* authorization).toBe("Bearer stored")
      expect(runs()).toBe(0)
    }),
  )

  it.live("does not run for the sandbox, for apps, or without a base URL", () =>
    Effect.gen(function* () {
      const { argv, runs, workspace } = yield* scene
      stubCommand(argv(token))
      for (const line of ["events list --sandbox", "auth status --sandbox", "doctor --sandbox", "apps whoami"])
        yield* run(line)
      workspace.write(workspace.user, JSON.stringify({ healthVendor: "Acme" }))
      vi.stubEnv("HEALTH_BASE_URL", "")
      yield* run("auth status")
      yield* run("doctor")
      expect(runs()).toBe(0)
    }),
  )

  it.live("runs once for concurrent requests, and once more after a 401", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { argv, runs } = makeScript(workspace)
      let unauthorized = 1
      const { origin, requests } = yield* Faults.serve(() =>
        unauthorized-- > 0 ? Reply.json({ code: "Unauthorized", message: "no" }, { status: 401 }) : Reply.page([]),
      )
      vi.stubEnv("HEALTH_BASE_URL", origin)
      stubCommand(argv(JSON.stringify({ token, expires_in: 3600 })))
      const sweep = "events list --subscriptions-file -"
      expect(yield* run(sweep, { input: ["a"] })).toMatchObject({ code: 0 })
      expect(runs()).toBe(2)
      expect(yield* run(sweep, { input: ["a", "b", "c"] })).toMatchObject({ code: 0 })
      expect(runs()).toBe(3)
      expect((yield* requests).map(({ headers }) => headers["authorization"])).toEqual(
        Array.from({ length: 5 }, () => `Bearer ${token}`),
      )
    }),
  )

  it.live("does not get the secrets that routes name", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      const { routes } = yield* startReceiver()
      const seen = join(workspace.folder, "environment")
      const print = `require("node:fs").writeFileSync(${JSON.stringify(seen)}, Object.keys(process.env).join(" ")); console.log("${token}")`
      stubCommand([process.execPath, "-e", print])
      vi.stubEnv("HOOK_OTHER", "no secret")
      expect(yield* run(["events", "watch", "--once", "--routes", routes])).toMatchObject({ code: 0 })
      expect(readFileSync(seen, "utf8").match(/HOOK_\w+/g)).toEqual(["HOOK_OTHER"])
    }),
  )

  it.live("is named by the error if the service rejects its token", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { argv } = makeScript(workspace)
      const { origin } = yield* Faults.serve(() => Reply.json({ code: "Unauthorized" }, { status: 401 }))
      vi.stubEnv("HEALTH_BASE_URL", origin)
      stubCommand(argv(token))
      for (const line of ["events list -s s", "doctor -s s"])
        expect((yield* run(line)).notes[0]).toMatch(/401 Unauthorized.* the token command node/)
    }),
  )

  it.live("is logged by --debug without its arguments and its token", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
      const { argv } = yield* scene
      stubCommand(argv(token))
      yield* run("events list")
      expect(lines).toEqual([])
      yield* run("events list --debug")
      expect(lines.join("\n")).toMatch(/message="Token command node: exit code 0 in \d+ ms"/)
      expect(lines.join("\n")).not.toMatch(/print\.cjs|first\.token/)
    }),
  )

  it.live("is shown by auth status without its arguments", () =>
    Effect.gen(function* () {
      const { argv } = yield* scene
      const until = "2100-01-01T00:00:00.000Z"
      stubCommand(argv(JSON.stringify({ token, expires_on: 4_102_444_800 })))
      const status = yield* run("auth status -o json")
      expect(JSON.parse(status.data.join(""))).toMatchObject([
        { result: "ok", from: "the token command node", found: `valid until ${until}` },
      ])
      expect(JSON.stringify(status)).not.toMatch(/print\.cjs|first\.token/)
    }),
  )
})
