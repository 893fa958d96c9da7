import { expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

/** Sets the environment variables of a service, and records the output. */
const prepare = (baseUrl: string, token: string) => {
  vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
  vi.stubEnv("APPMGMT_API_TOKEN", token)
  const quiet = () => undefined
  return { log: vi.spyOn(console, "log").mockClear().mockImplementation(quiet) }
}

it.live("quick-start prints the token's user", () =>
  Effect.gen(function* () {
    const { apiToken, baseUrl } = yield* Sandbox.make()
    const { log } = prepare(baseUrl, Redacted.value(apiToken))
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log).toHaveBeenCalledWith("The token belongs to Ada Operator <ada@vigil.example>")
  }),
)

it.live("remove-user removes a user", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.empty(204)])
    const { log } = prepare(server.origin, "token")
    yield* Effect.promise(() => import("../examples/remove-user.js"))
    expect(log.mock.calls).toEqual([["Removed."]])
    expect(yield* server.requests).toMatchObject([
      { method: "DELETE", target: "/v0.1/apps/contoso/shop/users/ada%2Btest%40example.org" },
    ])
  }),
)

it.live("request reads and changes an app", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(({ method }) =>
      Reply.json({ name: "shop", description: method === "GET" ? null : "The shop" }),
    )
    const { log } = prepare(server.origin, "token")
    yield* Effect.promise(() => import("../examples/request.js"))
    expect(log.mock.calls).toEqual([[null, "The shop"]])
    expect(yield* server.requests).toMatchObject([
      { method: "GET", target: "/v0.1/apps/contoso/shop" },
      { method: "PATCH", target: "/v0.1/apps/contoso/shop", body: `{"description":"The shop"}` },
    ])
  }),
)

it("unit-test removes a user once", async () => {
  const { log } = prepare("", "")
  await import("../examples/unit-test.js")
  expect(log.mock.calls).toEqual([["Removed", "UserNotFound"]])
})
