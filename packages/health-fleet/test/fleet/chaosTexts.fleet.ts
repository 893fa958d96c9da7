/** Texts that Postgres cannot store as they are. */
import { expect, it } from "@effect/vitest"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { event, eventually, ground, recordingSink } from "./ground.js"

const texts = { "a null character": "\u0000", "an unpaired surrogate": "\ud83d" }

for (const [what, text] of Object.entries(texts))
  it.scopedLive(`delivers events whose names and titles contain ${what}`, () =>
    Effect.gen(function* () {
      const { sandbox, start, subscriptions, withDatabase } = yield* ground()
      const { received, sink } = recordingSink()
      const [id] = subscriptions
      const put = (name: string, title: string) => World.put(event(sandbox.world, name, [id ?? ""], { title }))
      yield* sandbox.change((world) =>
        put(`B-${text}-C`, "Name")(put("D", `Title ${text}`)(put("A", "Other")({ ...world, events: [] }))),
      )
      yield* withDatabase(Fleet.migrateDatabase)
      yield* withDatabase(Subscriptions.add(subscriptions))
      yield* start({ sinks: [sink] })
      yield* eventually(
        Effect.sync(() => received.length),
        (length) => length === 3,
      )
      yield* sandbox.change(put(`B-${text}-C`, "Other title"))
      yield* eventually(
        Effect.sync(() => received.length),
        (length) => length === 4,
      )
      expect(received.map(({ state }) => state)).toEqual(["opened", "opened", "opened", "updated"])
      expect(yield* withDatabase(Status.status)).toMatchObject({ failing: 0, sinks: [] })
    }),
  )
