import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

it.live("quick-start prints the profile", () =>
  Effect.gen(function* () {
    const { apiToken, baseUrl } = yield* Sandbox.make()
    vi.stubEnv("SERVICE_BASE_URL", baseUrl)
    vi.stubEnv("SERVICE_TOKEN", Redacted.value(apiToken))
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log).toHaveBeenCalledWith("ada <ada@vigil.example>")
  }),
)

it.live("changes sends the change with its body", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.json({})])
    vi.stubEnv("SERVICE_BASE_URL", server.origin)
    vi.stubEnv("SERVICE_TOKEN", "token")
    yield* Effect.promise(() => import("../examples/changes.js"))
    expect(yield* server.requests).toMatchObject([
      { method: "PATCH", target: "/v0.1/user", body: `{"display_name":"Ada"}`, headers: { "x-api-token": "token" } },
    ])
  }),
)

it.live("client-credentials sends the assertion of the file, then the token", () =>
  Effect.gen(function* () {
    const endpoint = yield* Faults.serve([Reply.json({ access_token: "token", token_type: "Bearer" })])
    const server = yield* Faults.serve([Reply.json({})])
    vi.stubEnv("TOKEN_URL", `${endpoint.origin}/token`)
    vi.stubEnv("TOKEN_FILE", fileURLToPath(new URL("clientCredentials/assertion.txt", import.meta.url)))
    vi.stubEnv("CLIENT_ID", "app")
    vi.stubEnv("SERVICE_BASE_URL", server.origin)
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    yield* Effect.promise(() => import("../examples/client-credentials.js"))
    expect(log).toHaveBeenCalledWith("The report exists.")
    const [{ body } = { body: "" }] = yield* endpoint.requests
    expect(new URLSearchParams(body).get("client_assertion")).toBe("assertion-of-a-test")
    expect(yield* server.requests).toMatchObject([{ headers: { authorization: "Bearer token" } }])
  }),
)

it("sign-in prints the sign-in URL and the expiry", async () => {
  const log = vi.spyOn(console, "log").mockReset()
  await import("../examples/sign-in.js")
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^Sign in at https:\/\/sign-in\.example\/common\/oauth2\/authorize\?response_type=token&/)],
    [expect.stringMatching(/^Signed in until \d{4}-\d\d-\d\dT/)],
  ])
})
