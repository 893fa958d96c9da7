/** Tokens never appear in the output, in the logs, or in files other than the token file. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { signIn } from "../support/signInFlow.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-e7f4.token"

/** Records what is written to the console and the process, besides the command's own output. */
const recordWrites = () => {
  const logged: Array<string> = []
  const record = (...parts: ReadonlyArray<unknown>) => {
    logged.push(parts.map(String).join(" "))
    return true
  }
  for (const method of ["debug", "error", "info", "log", "trace", "warn"] as const)
    vi.spyOn(console, method).mockImplementation(record)
  vi.spyOn(process.stdout, "write").mockImplementation(record)
  vi.spyOn(process.stderr, "write").mockImplementation(record)
  return logged
}

/** A service that echoes every request. */
const serveEcho = Effect.map(
  Faults.serve(({ headers, target }) =>
    Reply.json(
      { code: canary, message: `You sent ${JSON.stringify(headers)} to ${target}`, value: [] },
      { status: 401, headers: { "www-authenticate": canary, "x-request-id": canary } },
    ),
  ),
  ({ origin }) => origin,
)

const commands = ["events list -s x", "apps whoami", "auth status -o json", "doctor -s x -o json"]

describe("a token", () => {
  it.live("of client credentials is not exposed, and neither is the client secret", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const grant = Reply.json({ access_token: canary, token_type: "Bearer", expires_in: 60 })
      const [granting, refusing] = [yield* Faults.serve(() => grant), yield* serveEcho]
      vi.stubEnv("HEALTH_BASE_URL", refusing)
      vi.stubEnv("HEALTH_CLIENT_ID", "x")
      vi.stubEnv("HEALTH_CLIENT_SECRET", canary)
      const logged = recordWrites()
      const runs = yield* Effect.forEach([granting.origin, refusing], (origin) => {
        vi.stubEnv("HEALTH_TOKEN_URL", `${origin}/token`)
        return Effect.forEach(["--log-level trace events list -s x", "auth status", "doctor -s x"], (line) => run(line))
      })
      vi.restoreAllMocks()
      expect(logged.join("\n")).toContain("/token 200")
      expect(JSON.stringify([runs, logged])).not.toContain(canary)
      expect(workspace.files()).toEqual([])
    }),
  )

  it.live("of a sign-in is in its file of mode 600, and nowhere else", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const origin = yield* serveEcho
      vi.stubEnv("HEALTH_BASE_URL", origin)
      vi.stubEnv("APPMGMT_BASE_URL", origin)
      const logged = recordWrites()
      const kept = yield* run("--log-level trace auth login --service apps --token-stdin", { input: [canary] })
      const { authorizationUrl, end, sendFragment } = yield* signIn(
        `--log-level trace auth login --no-browser --auth-url ${origin} --client-id x`,
      )
      const state = authorizationUrl.searchParams.get("state") ?? ""
      const fields = new URLSearchParams({ access_token: canary, token_type: "Bearer", expires_in: "60", state })
      const response = yield* sendFragment(`#${fields.toString()}`)
      const runs = [
        kept,
        response,
        yield* end,
        ...(yield* Effect.forEach(commands, (line) => run(`--log-level trace ${line}`))),
      ]
      expect(workspace.files().map(({ file, mode, text }) => [file, mode, text.includes(canary)])).toEqual([
        [workspace.tokenFile("apps"), 0o600, true],
        [workspace.tokenFile("health"), 0o600, true],
      ])
      const gone = yield* run("auth logout")
      vi.restoreAllMocks()
      expect(JSON.stringify([runs, gone, logged])).not.toContain(canary)
      expect(workspace.files()).toEqual([])
    }),
  )
})
