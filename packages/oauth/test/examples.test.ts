import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

it.live("the example client-credentials fetches a token by a token of the platform", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.json({ access_token: "token-2", token_type: "Bearer" })])
    vi.stubEnv("SERVICE_BASE_URL", server.origin)
    vi.stubEnv("TOKEN_URL", `${server.origin}/token`)
    vi.stubEnv("TOKEN_FILE", fileURLToPath(new URL("clientCredentials/assertion.txt", import.meta.url)))
    vi.stubEnv("CLIENT_ID", "app")
    const log = vi.spyOn(console, "log").mockReset()
    yield* Effect.promise(() => import("../examples/client-credentials.js"))
    expect(log.mock.calls).toEqual([["The report exists."]])
    expect(yield* server.requests).toMatchObject([
      { body: expect.stringContaining("client_assertion=assertion-of-a-test") },
      { headers: { authorization: "Bearer token-2" } },
    ])
  }),
)

it.live("the example sign-in prints the URL and the end of the token", () =>
  Effect.gen(function* () {
    const log = vi.spyOn(console, "log").mockReset()
    yield* Effect.promise(() => import("../examples/sign-in.js"))
    expect(log.mock.calls).toEqual([
      [expect.stringContaining("Sign in at https://sign-in.example/authorize?response_type=token&")],
      [expect.stringMatching(/^Signed in until \d{4}-\d\d-\d\dT/)],
    ])
  }),
)
