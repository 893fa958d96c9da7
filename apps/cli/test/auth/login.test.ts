import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { decide, send, signIn, startSignIn } from "../support/signInFlow.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-5d0a-token"

/** Starts a sandbox, and configures it as the service and the authorization server. */
const sandbox = Effect.tap(Sandbox.make(), ({ baseUrl }) =>
  Effect.sync(() => {
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("HEALTH_AUTH_URL", baseUrl)
    vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  }),
)

const line = "auth login --no-browser"

const state = (url: URL) => url.searchParams.get("state") ?? ""

const grant = (url: URL, fields: Readonly<Record<string, string>> = {}) =>
  `#${new URLSearchParams({ access_token: canary, token_type: "Bearer", state: state(url), ...fields }).toString()}`

describe("auth login", () => {
  it.live("prints the URL, and stores the token with its expiry", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { accessToken, baseUrl, world } = yield* sandbox
      const { authorizationUrl, end, redirectUri, sendFragment, startUrl } = yield* signIn(line)
      expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
      expect(Object.fromEntries(authorizationUrl.searchParams)).toEqual({
        response_type: "token",
        client_id: "tester",
        redirect_uri: redirectUri,
        scope: "user_impersonation",
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      })
      const { text } = yield* sendFragment(yield* decide(authorizationUrl, "allow"))
      expect(JSON.parse(text)).toMatchObject({ title: "You are signed in" })
      const { code, data, notes } = yield* end
      expect({ code, data }).toEqual({ code: 0, data: [] })
      expect(notes).toEqual([
        expect.stringContaining(baseUrl),
        startUrl,
        expect.stringContaining(JSON.stringify(workspace.tokenFile("health"))),
        expect.stringMatching(/ \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
      ])
      expect(workspace.files()).toEqual([{ file: workspace.tokenFile("health"), mode: 0o600, text: expect.anything() }])
      expect(JSON.parse(workspace.files()[0]?.text ?? "")).toEqual({
        token: Redacted.value(accessToken),
        origin: baseUrl,
        expiresAt: expect.stringMatching(/Z$/),
      })
      expect(JSON.stringify(notes)).not.toContain(Redacted.value(accessToken))
      expect(yield* run(`events list -s ${world.subscriptions[0].id}`)).toMatchObject({ code: 0 })
      expect((yield* send(redirectUri)).status).toBe(0)
    }),
  )

  it.live("with --sandbox stores no token", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { authorizationUrl, end, sendFragment } = yield* signIn(`${line} --sandbox`)
      yield* sendFragment(yield* decide(authorizationUrl, "allow"))
      expect(yield* end).toMatchObject({ code: 0 })
      expect(workspace.files()).toEqual([])
    }),
  )

  it.live("accepts --auth-url, --client-id and --scope", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { baseUrl } = yield* sandbox
      vi.stubEnv("HEALTH_AUTH_URL", "http://127.0.0.1:1")
      const { authorizationUrl, end, sendFragment } = yield* signIn(
        `${line} --auth-url ${baseUrl}/tenant --client-id other --scope a`,
      )
      expect(authorizationUrl.href).toContain(`${baseUrl}/tenant/common/oauth2/authorize?`)
      expect([authorizationUrl.searchParams.get("client_id"), authorizationUrl.searchParams.get("scope")]).toEqual([
        "other",
        "a",
      ])
      yield* sendFragment(grant(authorizationUrl))
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )

  it.live("shows in the browser that access was denied, and exits with 3", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      const { authorizationUrl, end, sendFragment } = yield* signIn(line)
      const { text } = yield* sendFragment(yield* decide(authorizationUrl, "deny"))
      expect(JSON.parse(text)).toMatchObject({ title: "You are not signed in" })
      expect(text).toContain("access_denied")
      const { code, notes } = yield* end
      expect({ code, files: workspace.files() }).toEqual({ code: 3, files: [] })
      expect(notes.at(-1)).toContain("access_denied")
    }),
  )

  it.live("rejects a response with an ID token of another sign-in, and exits with 7", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      const { authorizationUrl, end, sendFragment } = yield* signIn(line)
      const { text } = yield* sendFragment(grant(authorizationUrl, { id_token: "e30.eyJub25jZSI6IngifQ.x" }))
      const { code, notes } = yield* end
      expect({ code, files: workspace.files() }).toEqual({ code: 7, files: [] })
      for (const shown of [text, notes.at(-1)]) expect(shown).toContain("ID token")
      expect(JSON.stringify([text, notes])).not.toContain(canary)
    }),
  )

  it.live("shows in the browser that the token could not be stored", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* sandbox
      workspace.write(`${workspace.tokenFile("health")}/in-the-way`, "")
      const { authorizationUrl, end, sendFragment } = yield* signIn(line)
      expect((yield* sendFragment(grant(authorizationUrl))).text).toContain("health.token")
      expect(yield* end).toMatchObject({ code: 74 })
    }),
  )

  it.effect("fails after --timeout", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      const { end } = yield* startSignIn(`${line} --timeout 90s`)
      yield* TestClock.adjust("90 seconds")
      const { code, notes } = yield* end
      expect([code, notes.at(-1)]).toEqual([3, expect.stringContaining("--timeout")])
    }),
  )

  it.live.each([
    ["--service apps", "portal"],
    ["--timeout 0s", `--timeout "0s"`],
    ["--port 70000", `--port "70000"`],
    ["--auth-url http://far.example", "HTTP"],
    ["--sandbox --base-url http://127.0.0.1:1", "--base-url"],
    ["--base-url nowhere", "The base URL must be"],
  ] as const)("%s is a usage error", ([flags, words]) =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* sandbox
      const { code, notes } = yield* run(`${line} ${flags}`)
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining(words)] })
    }),
  )

  it.live("names missing settings", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      vi.stubEnv("HEALTH_BASE_URL", "https://service.example")
      const failed = (names: string) => ({ code: 2, notes: [expect.stringContaining(names)] })
      expect(yield* run(line)).toMatchObject(failed("HEALTH_AUTH_URL"))
      vi.stubEnv("HEALTH_AUTH_URL", "https://sign-in.example")
      expect(yield* run(line)).toMatchObject(failed("HEALTH_CLIENT_ID"))
    }),
  )
})

describe("the page that receives the response", () => {
  const ground = Effect.gen(function* () {
    yield* makeWorkspace
    yield* sandbox
    const pending = yield* signIn(line)
    const { headers, text } = yield* send(pending.redirectUri)
    const [, path] = /data-path="([^"]+)"/.exec(text) ?? []
    return { ...pending, headers, text, responseUrl: `${new URL(pending.redirectUri).origin}${path}` }
  })

  it.live("allows only its own script, and is not cached", () =>
    Effect.gen(function* () {
      const { authorizationUrl, end, headers, sendFragment, text } = yield* ground
      const policy = String(headers["content-security-policy"])
      for (const [tag, directive] of [
        ["script", "script-src"],
        ["style", "style-src"],
      ] as const) {
        const [, content = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? []
        expect(policy).toContain(`${directive} 'sha256-${createHash("sha256").update(content).digest("base64")}'`)
      }
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      })
      expect(text).not.toContain(state(authorizationUrl))
      yield* sendFragment(grant(authorizationUrl))
      yield* end
    }),
  )

  it.live("accepts one response, from itself only", () =>
    Effect.gen(function* () {
      const { authorizationUrl, cookie, end, redirectUri, responseUrl } = yield* ground
      const { origin } = new URL(redirectUri)
      const body = JSON.stringify({ fragment: grant(authorizationUrl) })
      const own = { cookie, origin, "content-type": "application/json" }
      const status = (url: string, options: Parameters<typeof send>[1]) =>
        Effect.map(send(url, options), ({ status }) => status)
      const refused = yield* Effect.all([
        status(responseUrl, { method: "POST", headers: { ...own, origin: "https://evil.example" }, body }),
        status(responseUrl, { method: "POST", headers: { ...own, origin: "null" }, body }),
        status(responseUrl, { method: "POST", headers: { cookie, "content-type": "application/json" }, body }),
        status(responseUrl, { method: "POST", headers: { ...own, "content-type": "text/plain" }, body }),
        status(responseUrl, { method: "POST", headers: { ...own, host: "evil.example" }, body }),
        status(responseUrl, { method: "POST", headers: own, body: "{" }),
        status(responseUrl, { method: "POST", headers: own, body: JSON.stringify({ fragment: "x".repeat(70_000) }) }),
        status(responseUrl, { method: "GET", headers: own }),
        status(responseUrl, { method: "OPTIONS", headers: own }),
        status(`${responseUrl}x`, { method: "POST", headers: own, body }),
        status(`${origin}/response/`, { method: "POST", headers: own, body }),
        status(redirectUri, { method: "POST", headers: own, body }),
        status(redirectUri, { headers: { host: "evil.example" } }),
        status(`${origin}/favicon.ico`, {}),
      ])
      expect(refused).toEqual([403, 403, 403, 415, 421, 400, 400, 405, 405, 404, 404, 405, 421, 404])
      expect(yield* status(`${redirectUri}?x=y`, {})).toBe(200)
      const [once, ...again] = yield* Effect.all(
        [1, 2, 3].map(() => status(responseUrl, { method: "POST", headers: own, body })),
        { concurrency: 3 },
      )
      expect([once, ...again].filter((code) => code === 200)).toEqual([200])
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )
})
