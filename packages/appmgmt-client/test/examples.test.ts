import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
  return {
    log: vi.spyOn(console, "log").mockClear().mockImplementation(quiet),
    error: vi.spyOn(console, "error").mockClear().mockImplementation(quiet),
  }
}

it.scopedLive("quick-start prints the token's user", () =>
  Effect.gen(function* () {
    const { apiToken, baseUrl } = yield* Sandbox.make()
    const { log } = prepare(baseUrl, Redacted.value(apiToken))
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log).toHaveBeenCalledWith("The token belongs to Ada Operator <ada@vigil.example>")
  }),
)

it.scopedLive("remove-user removes a user", () =>
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

it("token-scope names a sufficient token if the token has no right", async () => {
  const { error } = prepare("", "")
  await import("../examples/token-scope.js")
  expect(error.mock.calls).toEqual([
    [
      `AppManagement.removeUser: a read-only app token of contoso/shop ("dashboard") has no right to change contoso/shop. Use a full-access user token or a full-access app token of contoso/shop.`,
    ],
  ])
})

it.scopedLive("request reads and changes an app", () =>
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

const file = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vigil-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
).pipe(Effect.map((folder) => join(folder, "token")))

it.scopedLive("token-file lists the apps with a token from a file", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([
      Reply.json([{ name: "shop", display_name: "Shop", owner: { name: "contoso" } }]),
    ])
    const { log } = prepare(server.origin, "none")
    const path = yield* file
    yield* Effect.promise(() => writeFile(path, "token-of-a-file\n"))
    yield* Effect.promise(() => chmod(path, 0o600))
    vi.stubEnv("APPMGMT_API_TOKEN_FILE", path)
    yield* Effect.promise(() => import(/* @vite-ignore */ `../examples/token-file.js?${crypto.randomUUID()}`))
    expect(log.mock.calls).toEqual([["Shop", { owner: "contoso", app: "shop" }]])
    expect(yield* server.requests).toMatchObject([
      { target: "/v0.1/apps", headers: { "x-api-token": "token-of-a-file" } },
    ])
  }),
)

it.scopedLive("token-file fails for an exposed file, and sends nothing", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.json([])])
    prepare(server.origin, "none")
    const path = yield* file
    yield* Effect.promise(() => writeFile(path, "token-of-a-file\n"))
    yield* Effect.promise(() => chmod(path, 0o644))
    vi.stubEnv("APPMGMT_API_TOKEN_FILE", path)
    const { error } = yield* Effect.flip(
      Effect.tryPromise(() => import(/* @vite-ignore */ `../examples/token-file.js?${crypto.randomUUID()}`)),
    )
    expect(String(error)).toContain(`TokenFileError: Other users can read or write the token file "${path}".`)
    expect(yield* server.requests).toEqual([])
  }),
)

it("unit-test removes a user once", async () => {
  const { log } = prepare("", "")
  await import("../examples/unit-test.js")
  expect(log.mock.calls).toEqual([["Removed", "UserNotFound"]])
})
