/** Receivers that ignore repeated IDs, as the specification of webhooks asks for. */
import { expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { event, eventually, ground, recorder } from "./ground.js"

it.scopedLive("each notification has a new ID when an event disappears and returns unchanged", () =>
  Effect.gen(function* () {
    const { sandbox, start, subscriptions } = yield* ground()
    const { received, sink } = recorder()
    const shown = event(sandbox.world, "ABCD-123", subscriptions.slice(0, 1), { minutesAgo: 1 })
    const show = sandbox.change((world) => World.put(shown)({ ...world, events: [] }))
    const hide = sandbox.change((world) => ({ ...world, events: [] }))
    yield* start({ sinks: [sink] })
    for (const [index, change] of [show, hide, show, hide].entries()) {
      yield* change
      yield* eventually(
        Effect.sync(() => received.length),
        (length) => length > index,
      )
    }
    expect(received.map(({ state }) => state)).toEqual(["opened", "withdrawn", "reopened", "withdrawn"])
    expect(new Set(received.map(({ id }) => id)).size).toBe(4)
  }),
)
