/** Attacks on a sign-in by another user of the same machine. */
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, vi } from "vitest"
import { makeWorkspace } from "./workspace.js"
import { decide, send, signIn } from "./signInFlow.js"

const opener = vi.hoisted(() => ({ args: new Array<string>() }))

vi.mock("open", () => ({
  default: (address: string) => {
    opener.args.push(address)
    return Promise.resolve()
  },
}))

beforeEach(() => {
  opener.args.length = 0
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The sandbox, configured as a real service. */
const scene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_AUTH_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  return { workspace, sandbox }
})

describe("the program that opens the browser", () => {
  it.live("gets a URL that redirects once, and does not contain the state", () =>
    Effect.gen(function* () {
      yield* scene
      const { authorizationUrl, end, redirectUri, sendFragment } = yield* signIn("auth login")
      const [start = ""] = yield* Effect.promise(() => vi.waitUntil(() => opener.args.length > 0 && opener.args))
      expect(start).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start\/[\w-]{43}$/)
      expect(new URL(start).origin).toBe(new URL(redirectUri).origin)
      expect(start).not.toContain(authorizationUrl.searchParams.get("state"))
      expect(start).not.toContain(authorizationUrl.searchParams.get("nonce"))

      const refused = yield* Effect.all([
        send(start, { method: "POST" }),
        send(start, { headers: { host: "evil.example" } }),
        send(`${start}x`),
        send(new URL("/start/", start).href),
      ])
      expect(refused.map(({ status }) => status)).toEqual([405, 421, 404, 404])
      const uncached = { "cache-control": "no-store", connection: "close" }
      for (const { headers } of refused) expect(headers).toMatchObject(uncached)
      const first = yield* send(start)
      expect(first).toMatchObject({
        status: 302,
        headers: { location: authorizationUrl.href, "cache-control": "no-store", "referrer-policy": "no-referrer" },
        text: "",
      })
      const second = yield* send(start)
      expect(second.status).toBe(410)
      expect(JSON.stringify(second)).not.toContain(authorizationUrl.searchParams.get("state"))

      const { headers } = yield* sendFragment(yield* decide(authorizationUrl, "allow"))
      expect(headers).toMatchObject({ ...uncached, "content-type": "application/json" })
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )
})

describe("a response of another sign-in", () => {
  it.live.each([
    ["another state", "#access_token=stolen&token_type=Bearer&state=x"],
    ["no state", "#access_token=stolen&token_type=Bearer"],
    ["an error, and another state", "#error=access_denied&state=x"],
    ["nothing at all", "#"],
  ] as const)("with %s is rejected, and the valid response is still accepted", ([, wrong]) =>
    Effect.gen(function* () {
      const { sandbox, workspace } = yield* scene
      const { authorizationUrl, end, sendFragment } = yield* signIn("auth login --no-browser")
      for (const fragment of [wrong, wrong])
        expect((yield* sendFragment(fragment)).text).toContain("You are not signed in")
      expect(workspace.files()).toEqual([])
      const { text } = yield* sendFragment(yield* decide(authorizationUrl, "allow"))
      expect(text).toContain("You are signed in")
      expect(yield* end).toMatchObject({ code: 0 })
      expect(workspace.files()[0]?.text).toContain(Redacted.value(sandbox.accessToken))
      expect(JSON.stringify(workspace.files())).not.toContain("stolen")
      // --no-browser starts no program.
      expect(opener.args).toEqual([])
    }),
  )
})
