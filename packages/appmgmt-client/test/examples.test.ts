import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

it.scopedLive("quick-start prints whose token it is", () =>
  Effect.gen(function* () {
    const { apiToken, baseUrl } = yield* Sandbox.make()
    vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
    vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(apiToken))
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log).toHaveBeenCalledWith("The token belongs to Ada Operator <ada@vigil.example>")
  }),
)
