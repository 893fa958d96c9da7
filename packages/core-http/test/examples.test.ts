import { expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

it.live.each<readonly [name: string, printed: ReadonlyArray<unknown>, body: unknown, requests: ReadonlyArray<object>]>([
  ["quick-start", ["ada <a@b>"], { name: "ada", email: "a@b" }, [{ headers: { "x-api-token": "token" } }]],
  ["changes", [], {}, [{ method: "PATCH", target: "/v0.1/user", body: `{"display_name":"Ada"}` }]],
])("the example %s prints %j", ([name, printed, body, requests]) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.json(body)])
    vi.stubEnv("SERVICE_BASE_URL", server.origin)
    vi.stubEnv("SERVICE_TOKEN", "token")
    const log = vi.spyOn(console, "log").mockReset()
    log.mockImplementation(() => undefined)
    yield* Effect.promise(() => import(`../examples/${name}.ts`))
    const matching = (value: unknown) => (value instanceof RegExp ? expect.stringMatching(value) : value)
    expect(log.mock.calls).toEqual(printed.map((line) => [matching(line)]))
    const sent = yield* server.requests
    expect(sent).toMatchObject(
      requests.map((request) =>
        Object.fromEntries(Object.entries(request).map(([key, value]) => [key, matching(value)])),
      ),
    )
  }),
)
