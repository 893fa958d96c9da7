import { describe, expect, it } from "@effect/vitest"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { event, eventually, ground, recordingSink } from "./ground.js"

const empty = (world: World.World): World.World => ({ ...world, events: [] })

describe("a fleet", () => {
  it.scopedLive("delivers an event once, with its update and its resolution", () =>
    Effect.gen(function* () {
      const { sandbox, start, subscriptions, withDatabase } = yield* ground()
      const { received, sink } = recordingSink()
      const [first] = subscriptions
      yield* sandbox.change(empty)
      yield* start({ sinks: [sink] })
      yield* start({ sinks: [sink] })
      yield* withDatabase(Fleet.migrateDatabase)
      yield* withDatabase(Subscriptions.add(subscriptions))
      const { world } = sandbox
      const put = (options: Parameters<typeof event>[3]) =>
        sandbox.change(World.put(event(world, "ABCD-123", [first ?? ""], options)))
      const states = Effect.sync(() => received.map(({ state }) => state))
      yield* put({ minutesAgo: 3 })
      yield* eventually(states, ({ length }) => length === 1)
      yield* put({ title: "More is known", minutesAgo: 2 })
      yield* eventually(states, ({ length }) => length === 2)
      yield* put({ status: "Resolved", minutesAgo: 1 })
      yield* eventually(states, ({ length }) => length === 3)
      expect(yield* states).toEqual(["opened", "updated", "resolved"])
      const status = yield* withDatabase(Status.status)
      expect(status).toMatchObject({ subscriptions: 2, failing: 0, sinks: [], refused: 0 })
      expect(status.runners).toHaveLength(2)
    }),
  )
})
