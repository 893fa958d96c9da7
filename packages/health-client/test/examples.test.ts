import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

/** Starts a sandbox, points the environment at it, and records what is printed. */
const prepare = Effect.gen(function* () {
  const { accessToken, baseUrl, world } = yield* Sandbox.make()
  const [{ id }] = world.subscriptions
  vi.stubEnv("HEALTH_BASE_URL", baseUrl)
  vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
  vi.stubEnv("HEALTH_SUBSCRIPTION", id)
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  return { log, events: world.events.filter((event) => event.subscriptions.includes(id)) }
})

it.scopedLive("quick-start prints the events of a subscription", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log.mock.calls.length).toBeGreaterThan(50)
    expect(log.mock.calls[0]?.[0]).toBe(events[0]?.event.name)
  }),
)

it.scopedLive("invalid-events counts them", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    yield* Effect.promise(() => import("../examples/invalid-events.js"))
    expect(log).toHaveBeenCalledWith(expect.stringMatching(/^\d{3} events$/))
  }),
)

it("in-tests counts the active events of a sandbox of its own", async () => {
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  await import("../examples/in-tests.js")
  expect(log).toHaveBeenCalledWith(expect.stringMatching(/^\d+ active events$/))
})
