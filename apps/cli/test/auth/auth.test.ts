import { statSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { startWatch } from "../support/watchRun.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-2f71-token"

/** Starts a sandbox, and sets it as the base URL of both services. */
const sandbox = Effect.tap(Sandbox.make(), ({ baseUrl }) =>
  Effect.sync(() => {
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
  }),
)

const login = (token: string, line = "auth login --token-stdin") => run(line, { input: [token] })

const loginApps = "auth login --service apps --token-stdin"

describe("auth login --token-stdin", () => {
  it.live("stores the token in a file of mode 600 in a folder of mode 700, and notes it first", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { baseUrl } = yield* sandbox
      const file = workspace.tokenFile("health")
      const filesAtNote: Array<number> = []
      const { code, data, notes } = yield* run("auth login --token-stdin", {
        input: [canary],
        onNote: () => filesAtNote.push(workspace.files().length),
      })
      expect({ code, data }).toEqual({ code: 0, data: [] })
      expect(notes).toEqual([expect.stringContaining(JSON.stringify(file)), expect.stringContaining(baseUrl)])
      expect(filesAtNote).toEqual([0, 1])
      expect(workspace.files()).toEqual([
        { file, mode: 0o600, text: JSON.stringify({ token: canary, origin: baseUrl }) },
      ])
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
      yield* login("another")
      expect(workspace.files()).toEqual([{ file, mode: 0o600, text: expect.stringContaining("another") }])
    }),
  )

  it.live("stores a token that the commands of either service use, unless the environment has one", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { accessToken, apiToken, world } = yield* sandbox
      const list = `events list -s ${world.subscriptions[0].id}`
      expect(yield* run(list)).toMatchObject({ code: 3, notes: [expect.stringContaining("vigil auth login")] })
      expect(yield* login(Redacted.value(accessToken))).toMatchObject({ code: 0 })
      expect(yield* run(list)).toMatchObject({ code: 0 })
      expect(yield* run("apps whoami")).toMatchObject({ code: 3, notes: [expect.stringContaining(loginApps)] })
      expect(yield* login(Redacted.value(apiToken), loginApps)).toMatchObject({ code: 0 })
      expect(yield* run("apps whoami")).toMatchObject({ code: 0 })
      vi.stubEnv("APPMGMT_API_TOKEN", canary)
      expect(yield* run("apps whoami")).toMatchObject({ code: 3 })
    }),
  )

  it.live("sends the token to its origin only", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { baseUrl } = yield* sandbox
      yield* login(canary)
      yield* login(canary, loginApps)
      const other = yield* Faults.serve([Reply.page([])])
      for (const line of ["events list -s x", "apps whoami"])
        expect(yield* run(`${line} --base-url ${other.origin}`)).toMatchObject({
          code: 3,
          notes: [expect.stringContaining(baseUrl)],
        })
      vi.stubEnv("HEALTH_BASE_URL", other.origin)
      const { code, notes } = yield* run("auth status --service health")
      expect({ code, notes }).toEqual({ code: 1, notes: [expect.stringContaining(baseUrl)] })
      expect(yield* other.requests).toEqual([])
    }),
  )

  it.live("stores a token of the maximum length that can be read again", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      expect(yield* login("x".repeat(15 * 1024))).toMatchObject({ code: 0 })
      expect(yield* run("auth status --service health")).toMatchObject({ code: 0 })
    }),
  )

  it.live.each([
    [[], "no token"],
    [["  "], "no token"],
    [[canary, canary], "more than one line"],
    [[`${canary}\u0007`], "character"],
    [[`${canary}ü`], "character"],
    [[`${canary} ${canary}`], "character"],
    [[`Bearer ${canary}`], "Bearer"],
    [[`${canary}${"x".repeat(15 * 1024)}`], "too long"],
  ] as const)("rejects the invalid token %j without printing it", ([input, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      const { code, data, notes } = yield* run("auth login --token-stdin", { input })
      expect({ code, data, files: workspace.files() }).toEqual({ code: 2, data: [], files: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
      expect(notes[0]).not.toContain(canary)
    }),
  )

  it.live.each([
    ["auth login --token-stdin --sandbox", "--token-stdin"],
    ["auth login --token-stdin --client-id x", "--client-id"],
    ["auth login --token-stdin --no-browser", "--no-browser"],
    ["auth login --token-stdin --base-url nowhere", "The base URL must be"],
    ["auth login --token-stdin", "HEALTH_BASE_URL"],
    ["auth login --token-stdin --service apps", "APPMGMT_BASE_URL"],
  ] as const)("vigil %s is a usage error", ([line, noun]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { code, notes } = yield* login(canary, line)
      expect({ code, files: workspace.files() }).toEqual({ code: 2, files: [] })
      expect(notes).toEqual([expect.stringContaining(noun)])
    }),
  )

  it.live("does not read from a terminal, which would show the token", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      const { code, notes } = yield* run("auth login --token-stdin", { answers: [canary] })
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("< file")] })
    }),
  )
})

describe("a stored token", () => {
  it.live.each([["{"], [canary], [JSON.stringify({ token: canary })], [""]] as const)(
    "in an invalid file (%s) is rejected, and not printed",
    ([text]) =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace
        yield* sandbox
        workspace.write(workspace.tokenFile("health"), text)
        const { code, notes } = yield* run("events list -s x")
        expect({ code, notes }).toEqual({ code: 3, notes: [expect.stringContaining("vigil auth logout")] })
        expect(notes[0]).not.toContain(canary)
      }),
  )

  it.effect.each([
    ["a watch", startWatch],
    ["a server", startServer],
  ] as const)("that expires ends %s, because it cannot be renewed", ([, start]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
      vi.stubEnv("HEALTH_BASE_URL", origin)
      const entry = { token: canary, origin, expiresAt: "1970-01-01T00:01:00.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      const { fiber, idle, pass } = yield* start("-s", "x", "--every", "90s")
      yield* idle
      yield* pass("90 seconds")
      expect(yield* Fiber.join(fiber)).toBe(3)
      expect((yield* requests).filter(({ target }) => target.startsWith("/subscriptions/"))).toHaveLength(1)
    }),
  )

  it.live("that has expired is not sent", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, requests } = yield* Faults.serve([Reply.page([])])
      vi.stubEnv("HEALTH_BASE_URL", origin)
      const entry = { token: canary, origin, expiresAt: "2020-01-01T00:00:00.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      expect(yield* run("events list -s x")).toMatchObject({ code: 3 })
      expect(yield* requests).toEqual([])
      const status = yield* run("auth status")
      expect(status).toMatchObject({ code: 1, notes: [expect.stringContaining("vigil auth login")] })
      expect(status.data[1]).toMatch(/^health token\tfailed\texpired 2020-01-01T00:00:00.000Z\t/)
    }),
  )
})

describe("auth status", () => {
  it.live("shows the user, the source and the expiry for both services", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { apiToken, baseUrl } = yield* sandbox
      const entry = { token: canary, origin: baseUrl, expiresAt: "2099-12-31T10:20:30.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(apiToken))
      const table = yield* run("auth status", { width: 200 })
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data.map((line) => line.replaceAll(/ {2,}/g, "|"))).toEqual([
        "CHECK|RESULT|FOUND|FROM",
        `health token|ok|valid until ${entry.expiresAt}|${workspace.tokenFile("health")}`,
        "apps token|ok|present|APPMGMT_API_TOKEN",
        "apps access|ok|the token of Ada Operator <ada@vigil.example> is accepted",
      ])
      expect(JSON.stringify(table)).not.toContain(canary)
    }),
  )

  it.live("exits with 1 without a token, and prints what to do", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const nothing = yield* run("auth status")
      expect(nothing).toMatchObject({ code: 1, notes: [expect.stringContaining("set HEALTH_BASE_URL")] })
      expect(nothing.data.slice(1)).toEqual([
        expect.stringMatching(/^health token\tfailed\tno base URL is set\t/),
        expect.stringMatching(/^apps token\tfailed\tno base URL is set\t/),
      ])
      vi.stubEnv("APPMGMT_BASE_URL", "http://127.0.0.1:1")
      const one = yield* run("auth status")
      expect(one.data).toHaveLength(2)
      expect(one).toMatchObject({ code: 1, notes: [expect.stringContaining(loginApps)] })
    }),
  )

  it.live("names the setting that a stored token requires", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const baseUrl = "https://service.example/health"
      const stored = yield* login(canary, `auth login --token-stdin --base-url ${baseUrl}`)
      expect([stored.code, stored.notes.at(-1)]).toEqual([0, expect.stringContaining("HEALTH_BASE_URL")])
      const { code, notes } = yield* run("auth status --service health")
      expect({ code, notes }).toEqual({ code: 1, notes: [expect.stringContaining("https://service.example")] })
      expect(notes[0]).toContain("HEALTH_BASE_URL")
      vi.stubEnv("HEALTH_BASE_URL", baseUrl)
      expect((yield* run("auth status --service health")).code).toBe(0)
      expect((yield* login(canary)).notes.join(" ")).not.toContain("HEALTH_BASE_URL")
    }),
  )

  it.live("distinguishes a rejected token from one that could not be checked", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      vi.stubEnv("APPMGMT_API_TOKEN", canary)
      const refused = yield* run("auth status --service apps")
      expect(refused).toMatchObject({ code: 1, notes: [expect.stringContaining("401")] })
      expect(refused.data[2]).toContain("the token is rejected")
      vi.stubEnv("APPMGMT_BASE_URL", "http://127.0.0.1:1")
      const unchecked = yield* run("auth status --service apps")
      expect(unchecked).toMatchObject({ code: 1, notes: [expect.stringContaining("ECONNREFUSED")] })
      expect(unchecked.data[2]).toMatch(/^apps access\tfailed\tno\t/)
      expect(JSON.stringify([refused, unchecked])).not.toContain(canary)
    }),
  )
})

describe("auth logout", () => {
  it.live("names what it removed, and can be repeated", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      yield* login(canary)
      yield* login(canary, loginApps)
      const removed = yield* run("auth logout --service apps")
      expect(removed.notes).toEqual([expect.stringContaining(JSON.stringify(workspace.tokenFile("apps")))])
      expect(workspace.files().map(({ file }) => file)).toEqual([workspace.tokenFile("health")])
      const { code, data, notes } = yield* run("auth logout")
      expect({ code, data }).toEqual({ code: 0, data: [] })
      expect(notes).toEqual([
        expect.stringContaining(JSON.stringify(workspace.tokenFile("health"))),
        expect.stringContaining("No token"),
      ])
      expect(workspace.files()).toEqual([])
      expect(yield* run("auth logout")).toMatchObject({ code: 0 })
    }),
  )
})
