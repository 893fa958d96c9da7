/** Sign-ins that another user of this machine watches, or responds to first. */
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, vi } from "vitest"
import { place } from "./ground.js"
import { decide, send, signIn } from "./person.js"

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

/** The sandbox as a real service. */
const scene = Effect.gen(function* () {
  const here = yield* place
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_AUTH_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  return { here, sandbox }
})

describe("the program that opens the browser", () => {
  it.scopedLive("gets a URL without the state that redirects once", () =>
    Effect.gen(function* () {
      yield* scene
      const { address, bring, end, page } = yield* signIn("auth login")
      const [start = ""] = yield* Effect.promise(() => vi.waitUntil(() => opener.args.length > 0 && opener.args))
      expect(start).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start\/[\w-]{43}$/)
      expect(new URL(start).origin).toBe(new URL(page).origin)
      expect(start).not.toContain(address.searchParams.get("state"))
      expect(start).not.toContain(address.searchParams.get("nonce"))

      const refused = yield* Effect.all([
        send(start, { method: "POST" }),
        send(start, { headers: { host: "evil.example" } }),
        send(`${start}x`),
        send(new URL("/start/", start).href),
      ])
      expect(refused.map(({ status }) => status)).toEqual([405, 421, 404, 404])
      const first = yield* send(start)
      expect(first).toMatchObject({
        status: 302,
        headers: { location: address.href, "cache-control": "no-store", "referrer-policy": "no-referrer" },
        text: "",
      })
      const second = yield* send(start)
      expect(second.status).toBe(410)
      expect(JSON.stringify(second)).not.toContain(address.searchParams.get("state"))

      yield* bring(yield* decide(address, "allow"))
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )

  it.scopedLive("is not run with --no-browser", () =>
    Effect.gen(function* () {
      yield* scene
      const { address, bring, end } = yield* signIn("auth login --no-browser")
      yield* bring(yield* decide(address, "allow"))
      expect(yield* end).toMatchObject({ code: 0 })
      expect(opener.args).toEqual([])
    }),
  )
})

describe("a response of another sign-in", () => {
  it.scopedLive.each([
    ["another state", "#access_token=stolen&token_type=Bearer&state=x", "You are not signed in"],
    ["no state", "#access_token=stolen&token_type=Bearer", "You are not signed in"],
    ["an error, and another state", "#error=access_denied&state=x", "You are not signed in"],
    ["nothing at all", "#", "You are not signed in"],
  ] as const)("with %s is rejected, and the right one is still accepted", ([, wrong, words]) =>
    Effect.gen(function* () {
      const { here, sandbox } = yield* scene
      const { address, bring, end } = yield* signIn("auth login --no-browser")
      for (const answer of [wrong, wrong, wrong]) expect((yield* bring(answer)).text).toContain(words)
      expect(here.files()).toEqual([])
      const { text } = yield* bring(yield* decide(address, "allow"))
      expect(text).toContain("You are signed in")
      expect(yield* end).toMatchObject({ code: 0 })
      expect(here.files()[0]?.text).toContain(Redacted.value(sandbox.accessToken))
      expect(JSON.stringify(here.files())).not.toContain("stolen")
    }),
  )
})
