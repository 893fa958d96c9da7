import { describe, expect, it } from "@effect/vitest"
import { OAuthImplicit } from "@vigil/oauth"
import { printed } from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

const request = {
  authorizationUrl: "https://sign-in.example/authorize",
  clientId: "app-1",
  redirectUri: "https://app.example/signed-in",
  state: "state-4f1c",
}

const signInUrl = (options: Partial<OAuthImplicit.Request> = {}) => OAuthImplicit.signInUrl({ ...request, ...options })

const urlOf = (options?: Partial<OAuthImplicit.Request>) => new URL(Result.getOrThrow(signInUrl(options)))

describe("OAuthImplicit.signInUrl", () => {
  it("requests a token, with what additional parameters do not replace", () => {
    const expected =
      "https://sign-in.example/authorize?response_type=token&client_id=app-1" +
      "&redirect_uri=https%3A%2F%2Fapp.example%2Fsigned-in&state=state-4f1c"
    expect(urlOf().href).toBe(expected)
    const names = ["response_type", "client_id", "redirect_uri", "state"]
    expect(urlOf({ parameters: Object.fromEntries(names.map((name) => [name, "x"])) }).href).toBe(expected)
  })

  it("sends another scope, a nonce, additional parameters, and the redirect URL unchanged", () => {
    const redirectUri = "HTTPS://App.example/A%20b?c=d&e=%26"
    const options = { redirectUri, scope: "a b", nonce: "n&1", parameters: { resource: "https://x.example/?a=b" } }
    expect(Object.fromEntries(urlOf(options).searchParams)).toEqual({
      response_type: "token",
      client_id: "app-1",
      redirect_uri: redirectUri,
      scope: "a b",
      state: "state-4f1c",
      nonce: "n&1",
      resource: "https://x.example/?a=b",
    })
  })

  it("accepts HTTP on this machine", () => {
    expect(urlOf({ authorizationUrl: "http://[::1]", redirectUri: "http://localhost:8400/a" }).protocol).toBe("http:")
  })

  const urls = [
    "sign-in.example",
    "javascript:alert(1)",
    "http://localhost.evil.example",
    "https://canary:canary@a.example",
  ]
  it.each([
    ...[...urls, "https://sign-in.example/?canary=1", "https://sign-in.example/#canary"].map(
      (url) => ["authorizationUrl", url] as const,
    ),
    ...[
      ...urls,
      "/signed-in",
      "https:app.example",
      " https://a.example",
      "https://a.example/\n",
      "https://\u00fc.example/",
    ].map((url) => ["redirectUri", url] as const),
    ["redirectUri", "https://app.example/#"],
    ["clientId", ""],
    ["state", ""],
    ["nonce", ""],
  ] as const)("rejects %s: %j", (setting, value) => {
    const error = Result.getOrThrow(Result.flip(signInUrl({ [setting]: value })))
    expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
    expect(printed(error)).not.toContain("canary")
  })
})

it.effect("makeRandomText creates 256 random bits in base64url, different each time", () =>
  Effect.gen(function* () {
    const values = yield* Effect.replicateEffect(OAuthImplicit.makeRandomText, 200)
    for (const text of values) expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set(values).size).toBe(200)
  }),
)
