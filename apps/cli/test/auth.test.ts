import { statSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { makeWorkspace } from "./workspace.js"
import { run } from "./run.js"
import { startWatch } from "./watchRun.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-2f71-token"

/** Starts a sandbox, and sets it as the base URL of both services. */
const sandbox = Effect.tap(Sandbox.make(), ({ baseUrl }) => {
  vi.stubEnv("HEALTH_BASE_URL", baseUrl)
  vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
})

const login = (token: string, line = "auth login --token-stdin") => run(line, { input: [token] })

describe("auth login --token-stdin", () => {
  it.scopedLive("stores the token in a file of mode 600 in a folder of mode 700, and notes it first", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { baseUrl } = yield* sandbox
      const file = workspace.tokenFile("health")
      const filesAtNote: Array<number> = []
      const { code, data, notes } = yield* run("auth login --token-stdin", {
        input: [canary],
        onNote: () => filesAtNote.push(workspace.files().length),
      })
      expect({ code, data, notes }).toEqual({
        code: 0,
        data: [],
        notes: [
          `vigil: No keychain is available. The token is stored in the file ${JSON.stringify(file)}, which only you can read (mode 600).`,
          `The token of the health events service at ${baseUrl} is stored in the file ${JSON.stringify(file)}.`,
        ],
      })
      expect(filesAtNote).toEqual([0, 1])
      expect(workspace.files()).toEqual([
        { file, mode: 0o600, text: JSON.stringify({ token: canary, origin: baseUrl }) },
      ])
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    }),
  )

  it.scopedLive("stores a token that the commands of either service use", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { accessToken, apiToken, world } = yield* sandbox
      expect(yield* run(`events list -s ${world.subscriptions[0].id}`)).toMatchObject({ code: 3 })
      expect(yield* login(Redacted.value(accessToken))).toMatchObject({ code: 0 })
      expect(yield* run(`events list -s ${world.subscriptions[0].id}`)).toMatchObject({ code: 0 })
      const without = yield* run("apps whoami")
      expect(without).toMatchObject({ code: 3, notes: [expect.stringContaining("vigil auth login --service apps")] })
      expect(yield* login(Redacted.value(apiToken), "auth login --service apps --token-stdin")).toMatchObject({
        code: 0,
      })
      expect(yield* run("apps whoami")).toMatchObject({ code: 0 })
    }),
  )

  it.scopedLive("sends the token to its origin only", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      yield* login(canary)
      const other = yield* Faults.serve([Reply.page([])])
      const unsent = yield* run(`events list -s x --base-url ${other.origin}`)
      expect(unsent).toMatchObject({
        code: 0,
        notes: [
          expect.stringMatching(/^vigil: The stored token .* is for http:\S+ and is sent only there\./),
          "0 events on 1 page",
        ],
      })
      expect(yield* other.bytes).not.toContain(canary)
      vi.stubEnv("HEALTH_BASE_URL", other.origin)
      const { code, notes } = yield* run("auth status --service health")
      expect(code).toBe(1)
      expect(notes).toEqual([
        expect.stringMatching(/^vigil: The stored token of the health events service is for http:\S+, not for /),
      ])
    }),
  )

  it.scopedLive("sends the API token of apps to its origin only, and names that origin in the error", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      yield* login(canary, "auth login --service apps --token-stdin")
      const { code, notes } = yield* run("apps whoami --base-url https://other.example")
      expect(code).toBe(3)
      expect(notes).toEqual([expect.stringMatching(/is for http:\S+ and is sent only there\. Set APPMGMT_API_TOKEN/)])
    }),
  )

  it.scopedLive("stores a token that the environment overrides", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { apiToken } = yield* sandbox
      yield* login(canary, "auth login --service apps --token-stdin")
      expect(yield* run("apps whoami")).toMatchObject({ code: 3 })
      vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(apiToken))
      expect(yield* run("apps whoami")).toMatchObject({ code: 0 })
      expect((yield* login(canary, "auth login --service apps --token-stdin")).notes.at(-1)).toBe(
        "vigil: APPMGMT_API_TOKEN is set in the environment and is used instead of stored tokens.",
      )
    }),
  )

  it.scopedLive("replaces the previous token", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      yield* login("before")
      yield* login(canary)
      expect(workspace.files().map(({ mode, text }) => [mode, text.includes(canary)])).toEqual([[0o600, true]])
    }),
  )

  it.scopedLive("stores a token of the maximum length that can be read again", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      expect(yield* login("x".repeat(15 * 1024))).toMatchObject({ code: 0 })
      expect(yield* run("auth status --service health")).toMatchObject({ code: 0 })
    }),
  )

  it.scopedLive.each([
    [[], "Stdin has no token."],
    [["  "], "Stdin has no token."],
    [[canary, canary], "Stdin has more than one line."],
    [[`${canary}\u0007`], "contains a character that is invalid"],
    [[`${canary}ü`], "contains a character that is invalid"],
    [[`${canary} ${canary}`], "contains a character that is invalid"],
    [[`Bearer ${canary}`], `starts with "Bearer", which vigil adds itself. Pass only the token`],
    [[`${canary}${"x".repeat(15 * 1024)}`], "too long for a token."],
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

  it.scopedLive.each([
    ["auth login --token-stdin --sandbox", "The sandbox has its own tokens: omit --token-stdin"],
    [
      "auth login --token-stdin --client-id x",
      "--token-stdin excludes --auth-url, --client-id, --scope and --no-browser.",
    ],
    ["auth login --token-stdin --no-browser", "--token-stdin excludes"],
    ["auth login --token-stdin --base-url nowhere", "The base URL is not a valid URL."],
    ["auth login --token-stdin", "set HEALTH_BASE_URL"],
    ["auth login --token-stdin --service apps", "set APPMGMT_BASE_URL"],
  ] as const)("vigil %s is a usage error", ([line, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { code, notes } = yield* login(canary, line)
      expect({ code, files: workspace.files() }).toEqual({ code: 2, files: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )

  it.scopedLive("does not read from a terminal, which would show the token", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      const { code, notes } = yield* run("auth login --token-stdin", { answers: [canary] })
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("< file")] })
    }),
  )

  it.scopedLive("leaves no partial file if the token can't be written", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      workspace.write(`${workspace.tokenFile("health")}/in-the-way`, "")
      const { code, notes } = yield* login(canary)
      expect(code).toBe(74)
      expect(notes.at(-1)).toMatch(/^vigil: The file ".*health\.token" could not be written \(\w+\)\. Check the folder/)
      expect(workspace.files().map(({ text }) => text)).toEqual([""])
    }),
  )
})

describe("a stored token", () => {
  it.scopedLive("that other users can read is rejected", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { baseUrl } = yield* sandbox
      workspace.write(workspace.tokenFile("health"), JSON.stringify({ token: canary, origin: baseUrl }), 0o644)
      const { code, data, notes } = yield* run("events list -s x")
      expect({ code, data }).toEqual({ code: 3, data: [] })
      expect(notes).toEqual([expect.stringContaining("treat its token as leaked. Revoke the token")])
      expect(yield* run("auth logout --service health")).toMatchObject({ code: 0 })
      expect(workspace.files()).toEqual([])
    }),
  )

  it.scopedLive.each([["{"], [canary], [JSON.stringify({ token: canary })], [""]] as const)(
    "in an invalid file (%s) is rejected, and not printed",
    ([text]) =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace
        yield* sandbox
        workspace.write(workspace.tokenFile("health"), text)
        const { code, notes } = yield* run("events list -s x")
        expect(code).toBe(3)
        expect(notes).toEqual([expect.stringContaining("is unusable. Run vigil auth logout, and sign in again.")])
        expect(notes[0]).not.toContain(canary)
      }),
  )

  it.scoped("that expires ends a watch, because it cannot be renewed", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
      vi.stubEnv("HEALTH_BASE_URL", origin)
      const entry = { token: canary, origin, expiresAt: "1970-01-01T00:01:00.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      const watch = yield* startWatch("-s", "x", "--every", "90s")
      yield* watch.idle
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("Sign in again")
      expect(yield* Fiber.join(watch.fiber)).toBe(3)
      expect(yield* requests).toHaveLength(1)
    }),
  )

  it.scopedLive("that has expired is not sent", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, requests } = yield* Faults.serve([Reply.page([])])
      vi.stubEnv("HEALTH_BASE_URL", origin)
      const entry = { token: canary, origin, expiresAt: "2020-01-01T00:00:00.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      expect(yield* run("events list -s x")).toMatchObject({
        code: 3,
        notes: [expect.stringContaining("Sign in again")],
      })
      expect(yield* requests).toEqual([])
      const status = yield* run("auth status")
      expect(status).toMatchObject({
        code: 1,
        notes: ["vigil: The token of the health events service has expired: run vigil auth login."],
      })
      expect(status.data[1]).toMatch(/^health\texpired\t.*\t2020-01-01 00:00$/)
    }),
  )
})

describe("auth status", () => {
  it.scopedLive("shows the user, the source and the expiry for both services", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { apiToken, baseUrl } = yield* sandbox
      const entry = { token: canary, origin: baseUrl, expiresAt: "2099-12-31T10:20:30.000Z" }
      workspace.write(workspace.tokenFile("health"), JSON.stringify(entry))
      vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(apiToken))
      const table = yield* run("auth status", { width: 200 })
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data.map((line) => line.replaceAll(/ {2,}/g, "|"))).toEqual([
        "SERVICE|STATE|WHO|BASE URL|TOKEN FROM|UNTIL (UTC)",
        `health|signed in|${baseUrl}|${workspace.tokenFile("health")}|2099-12-31 10:20`,
        `apps|signed in|Ada Operator <ada@vigil.example>|${baseUrl}|APPMGMT_API_TOKEN`,
      ])
      const json: unknown = JSON.parse((yield* run("auth status -o json")).data.join(""))
      expect(json).toEqual([
        {
          service: "health",
          state: "signed in",
          user: null,
          baseUrl,
          from: "file",
          where: workspace.tokenFile("health"),
          until: "2099-12-31T10:20:30.000Z",
          advice: null,
        },
        expect.objectContaining({
          service: "apps",
          user: expect.objectContaining({ name: "ada" }),
          from: "environment",
          where: "APPMGMT_API_TOKEN",
          until: null,
        }),
      ])
      const csv = yield* run("auth status -o csv")
      expect(csv.data[0]).toBe("service,state,who,baseUrl,from,where,until,advice")
      expect(csv.data[2]).toMatch(/^apps,signed in,Ada Operator <ada@vigil.example>,/)
      expect(JSON.stringify([table, json, csv])).not.toContain(canary)
    }),
  )

  it.scopedLive("exits with 1 without a token, and prints what to do", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const nothing = yield* run("auth status")
      expect(nothing).toMatchObject({ code: 1, notes: [expect.stringContaining("set HEALTH_BASE_URL")] })
      expect(nothing.data.slice(1).map((line) => line.trimEnd())).toEqual([
        "health\tnot signed in",
        "apps\tnot signed in",
      ])
      vi.stubEnv("APPMGMT_BASE_URL", "http://127.0.0.1:1")
      const one = yield* run("auth status")
      expect(one.data).toHaveLength(2)
      expect(one).toMatchObject({
        code: 1,
        notes: [
          "vigil: Not signed in to the app management service: run vigil auth login --service apps --token-stdin, or set APPMGMT_API_TOKEN.",
        ],
      })
    }),
  )

  it.scopedLive("names the setting that a stored token requires", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const baseUrl = "https://service.example/health"
      const login = yield* run(`auth login --token-stdin --base-url ${baseUrl}`, { input: [canary] })
      expect(login.code).toBe(0)
      expect(login.notes.at(-1)).toContain("HEALTH_BASE_URL is not set to that URL: set it")
      const { code, notes } = yield* run("auth status --service health")
      expect(code).toBe(1)
      expect(notes).toEqual([
        "vigil: A token of the health events service is stored for https://service.example. The base URL of the health events service is not set: set HEALTH_BASE_URL.",
      ])
      vi.stubEnv("HEALTH_BASE_URL", baseUrl)
      expect((yield* run("auth status --service health")).code).toBe(0)
      const again = yield* run("auth login --token-stdin", { input: [canary] })
      expect(again.notes.join(" ")).not.toContain("is not set")
    }),
  )

  it.scopedLive("distinguishes a rejected token from one that could not be checked", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      vi.stubEnv("APPMGMT_API_TOKEN", canary)
      const refused = yield* run("auth status --service apps")
      expect(refused.code).toBe(1)
      expect(refused.data[1]).toContain("refused")
      expect(refused.notes).toEqual([expect.stringContaining("The app-management service responded 401")])
      vi.stubEnv("APPMGMT_BASE_URL", "http://127.0.0.1:1")
      const unchecked = yield* run("auth status --service apps")
      expect(unchecked.code).toBe(1)
      expect(unchecked.data[1]).toContain("unchecked")
      expect(unchecked.notes).toEqual([expect.stringContaining("ECONNREFUSED")])
      expect(JSON.stringify([refused, unchecked])).not.toContain(canary)
    }),
  )

  it.scopedLive("does not print a URL with a secret", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      vi.stubEnv("HEALTH_BASE_URL", `https://me:${canary}@service.example`)
      const { data, notes } = yield* run("auth status -o json")
      expect(data.join("")).toContain("(not shown: it may contain a secret)")
      expect(JSON.stringify([data, notes])).not.toContain(canary)
    }),
  )

  it.live("of the sandbox shows its own tokens", () =>
    Effect.gen(function* () {
      const { code, data } = yield* run("auth status --sandbox")
      expect(code).toBe(0)
      expect(data).toHaveLength(3)
      expect(data[2]).toMatch(/^apps\tsigned in\tAda Operator <ada@vigil.example>\thttp\S+\tthe sandbox\t$/)
    }),
  )
})

describe("auth logout", () => {
  it.scopedLive("prints what it removed, and can be repeated", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      yield* login(canary)
      yield* login(canary, "auth login --service apps --token-stdin")
      expect((yield* run("auth logout --service apps")).notes).toEqual([
        `Removed the token of the app management service from the file ${JSON.stringify(workspace.tokenFile("apps"))}.`,
      ])
      expect(workspace.files().map(({ file }) => file)).toEqual([workspace.tokenFile("health")])
      vi.stubEnv("APPMGMT_API_TOKEN", canary)
      expect(yield* run("auth logout")).toMatchObject({
        code: 0,
        data: [],
        notes: [
          `Removed the token of the health events service from the file ${JSON.stringify(workspace.tokenFile("health"))}.`,
          "No token of the app management service is stored.",
          "vigil: APPMGMT_API_TOKEN is set in the environment and is used instead of stored tokens.",
        ],
      })
      expect(workspace.files()).toEqual([])
      expect(yield* run("auth logout")).toMatchObject({ code: 0 })
    }),
  )
})
