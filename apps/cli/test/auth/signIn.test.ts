/** Attacks on a sign-in by another user of the same machine. */
import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, beforeEach, vi } from "vitest"
import { decide, openUrl, send, signIn, startSignIn } from "../support/signInFlow.js"
import { makeWorkspace } from "../support/workspace.js"

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

/** Lets time pass while an effect waits for the network. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(
    effect,
    Effect.forever(
      Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.promise(() => setTimeout(1)),
      ),
    ),
  )

describe("the program that opens the browser", () => {
  it.effect("gets a URL that redirects to the sign-in, and does not contain the state", () =>
    Effect.gen(function* () {
      yield* scene
      const { end, startUrl: start } = yield* startSignIn("auth login --timeout 1d")
      yield* Effect.promise(() => vi.waitUntil(() => opener.args.length > 0))
      expect(opener.args).toEqual([start])
      expect(start).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start\/[\w-]{43}$/)
      const refused = yield* Effect.all([
        send(start, { method: "POST" }),
        send(start, { headers: { host: "evil.example" } }),
        send(`${start}x`),
        send(new URL("/start/", start).href),
      ])
      expect(refused.map(({ status }) => status)).toEqual([405, 421, 404, 404])
      const uncached = { "cache-control": "no-store", connection: "close" }
      for (const { headers } of refused) expect(headers).toMatchObject(uncached)
      const { authorizationUrl, opened, sendFragment } = yield* openUrl(start)
      expect(opened).toMatchObject({
        status: 302,
        headers: { ...uncached, "referrer-policy": "no-referrer" },
        text: "",
      })
      const { headers } = yield* whileTimePasses(sendFragment(yield* decide(authorizationUrl, "allow")))
      expect(headers).toMatchObject({ ...uncached, "content-type": "application/json" })
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )
})

describe("another user who opens the URL first", () => {
  it.effect("cannot have a token stored, even if the response arrives before the browser opens", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      const { authorizationUrl, end, redirectUri, sendFragment, startUrl } = yield* signIn("auth login")
      yield* Effect.forkChild(sendFragment(yield* decide(authorizationUrl, "allow")))
      // In this time, the response arrives.
      yield* Effect.repeat(send(redirectUri), { times: 20 })
      const second = yield* send(startUrl)
      expect(second).toMatchObject({ status: 410, text: expect.stringContaining("opened twice") })
      const { code, notes } = yield* end
      expect({ code, files: workspace.files() }).toEqual({ code: 3, files: [] })
      expect(notes.at(-1)).toContain("--no-browser")
    }),
  )

  it.live("cannot respond without the cookie of the browser that opened it", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      const { authorizationUrl, end, opened, sendFragment } = yield* signIn("auth login --no-browser")
      expect(String(opened.headers["set-cookie"])).toMatch(/; Path=\/response\/[\w-]{43}; HttpOnly; SameSite=Strict$/)
      const fragment = yield* decide(authorizationUrl, "allow")
      for (const headers of [{}, { cookie: "sign-in=x" }])
        expect((yield* sendFragment(fragment, headers)).text).toContain("another browser")
      expect(workspace.files()).toEqual([])
      yield* sendFragment(fragment)
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
