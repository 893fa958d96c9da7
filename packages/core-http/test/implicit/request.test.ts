import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { OAuthImplicit } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

const request = {
  authUrl: "https://sign-in.example",
  clientId: "app-1",
  redirectUri: "https://app.example/signed-in",
  state: "state-4f1c",
}

const authorizationUrl = (options: Partial<OAuthImplicit.Request> = {}) =>
  OAuthImplicit.authorizationUrl({ ...request, ...options })

const urlOf = (options: Partial<OAuthImplicit.Request> = {}) => new URL(Result.getOrThrow(authorizationUrl(options)))

describe("OAuthImplicit.authorizationUrl", () => {
  it("requests a token with the default scope", () => {
    expect(Result.getOrThrow(authorizationUrl())).toBe(
      "https://sign-in.example/common/oauth2/authorize?response_type=token&client_id=app-1" +
        "&redirect_uri=https%3A%2F%2Fapp.example%2Fsigned-in&scope=user_impersonation&state=state-4f1c",
    )
  })

  it("sends another scope, a nonce and additional parameters", () => {
    const { searchParams } = urlOf({ scope: "a b", nonce: "n&1", parameters: { resource: "https://x.example/?a=b" } })
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "token",
      client_id: "app-1",
      redirect_uri: "https://app.example/signed-in",
      scope: "a b",
      state: "state-4f1c",
      nonce: "n&1",
      resource: "https://x.example/?a=b",
    })
  })

  it("does not replace its own parameters with additional ones", () => {
    const { searchParams } = urlOf({
      parameters: { response_type: "code", client_id: "x", redirect_uri: "x", scope: "x", state: "x" },
    })
    expect(searchParams.toString()).toBe(urlOf().searchParams.toString())
  })

  it.each([
    ["https://sign-in.example/base//", "https://sign-in.example/base/common/oauth2/authorize"],
    ["HTTPS://Sign-In.example:443", "https://sign-in.example/common/oauth2/authorize"],
    ["http://localhost:8080", "http://localhost:8080/common/oauth2/authorize"],
    ["http://[::1]", "http://[::1]/common/oauth2/authorize"],
  ])("returns the endpoint of %s", (authUrl, endpoint) => {
    expect(Result.getOrThrow(authorizationUrl({ authUrl })).split("?")[0]).toBe(endpoint)
  })

  it.each(["https://app.example", "HTTPS://App.example/A%20b?c=d&e=%26", "http://localhost:8400/signed-in"])(
    "sends the redirect URL %s unchanged",
    (redirectUri) => {
      expect(urlOf({ redirectUri }).searchParams.get("redirect_uri")).toBe(redirectUri)
    },
  )

  it.each([
    ["", "malformed"],
    ["sign-in.example", "malformed"],
    ["ftp://sign-in.example", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["http://sign-in.example", "exposed"],
    ["http://localhost.evil.example", "exposed"],
    ["https://canary:canary@sign-in.example", "userinfo"],
    ["https://sign-in.example/?canary=1", "query"],
    ["https://sign-in.example/#canary", "query"],
  ] as const)("rejects the server URL %j: %s", (authUrl, reason) => {
    const error = Result.getOrThrow(Result.flip(authorizationUrl({ authUrl })))
    expect(error).toMatchObject({ _tag: "InvalidRequest", option: "authUrl", reason })
    expect(error.message).toMatch(/^The URL of the authorization server .+\. Pass a URL such as https:.+\.$/)
    expect(inspect(error)).not.toContain("canary")
  })

  it.each([
    ["", "malformed"],
    ["/signed-in", "malformed"],
    ["https:app.example", "malformed"],
    [" https://app.example/", "malformed"],
    ["https://app.example/\n", "malformed"],
    ["https://b\u00fccher.example/", "malformed"],
    ["my-app://signed-in", "scheme"],
    ["http://app.example/", "exposed"],
    ["https://canary:canary@app.example/", "userinfo"],
    ["https://app.example/#", "fragment"],
  ] as const)("rejects the redirect URL %j: %s", (redirectUri, reason) => {
    const error = Result.getOrThrow(Result.flip(authorizationUrl({ redirectUri })))
    expect(error).toMatchObject({ _tag: "InvalidRequest", option: "redirectUri", reason })
    expect(inspect(error)).not.toContain("canary")
  })

  it.each(["clientId", "state", "nonce"] as const)("rejects an empty %s", (option) => {
    const error = Result.getOrThrow(Result.flip(authorizationUrl({ [option]: "" })))
    expect(error).toMatchObject({ _tag: "InvalidRequest", option, reason: "empty" })
    expect(error.message).toMatch(/ is empty\. Set it\.$/)
  })
})

describe("OAuthImplicit.makeState and makeNonce", () => {
  it.effect("create 256 random bits in base64url, different each time", () =>
    Effect.gen(function* () {
      const values = yield* Effect.all([
        ...Array.from({ length: 100 }, () => OAuthImplicit.makeState),
        ...Array.from({ length: 100 }, () => OAuthImplicit.makeNonce),
      ])
      for (const text of values) expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(new Set(values).size).toBe(200)
    }),
  )
})
