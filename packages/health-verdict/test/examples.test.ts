import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

it.live("quick-start prints each resource with its state and verdict, and explains the first", () =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, world } = yield* Sandbox.make()
    const [{ id }] = world.subscriptions
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
    vi.stubEnv("HEALTH_SUBSCRIPTION", id)
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    const rows = log.mock.calls.map((row) => row.join(" "))
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows.slice(0, -1)) expect(row).toMatch(/^\S+ (Unavailable|Degraded|Unknown|Available) [a-z]+ /)
    expect(rows.at(-1)).toMatch(/^(platform|maintenance|customer|none|unknown) /)
  }),
)
