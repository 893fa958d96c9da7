/** Texts that Postgres cannot store unchanged. */
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import { World } from "@vigil/sandbox"
import { Routes } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { event, eventually, ground, recorder } from "./ground.js"

const texts = { "a null character": "\u0000", "an unpaired surrogate": "\ud83d" }

/** Routes that group updates for an hour. */
const routes = Either.getOrThrow(
  Routes.parse(
    `{ "sinks": { "recorder": { "type": "alertmanager", "url": "http://localhost" } }, "routes": [{ "to": "recorder", "groupFor": "1 hour" }] }`,
  ),
)

for (const [what, text] of Object.entries(texts)) {
  it.scopedLive(`a fleet delivers events whose names and titles contain ${what}`, () =>
    Effect.gen(function* () {
      const { sandbox, start, subscriptions, withDatabase } = yield* ground()
      const { received, sink } = recorder()
      const [id] = subscriptions
      const put = (name: string, title: string) => World.put(event(sandbox.world, name, [id ?? ""], { title }))
      yield* sandbox.change((world) =>
        put(`B-${text}-C`, "Name")(put("D", `Title ${text}`)(put("A", "Other")({ ...world, events: [] }))),
      )
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
      const { failing } = yield* eventually(withDatabase(Status.status), ({ sinks }) => sinks.length === 0)
      expect(failing).toBe(0)
    }),
  )

  it.scopedLive(`a fleet replaces a pending notification that contains ${what}`, () =>
    Effect.gen(function* () {
      const { sandbox, start, subscriptions, withDatabase } = yield* ground()
      const { received, sink } = recorder()
      const [id] = subscriptions
      const put = (options: Parameters<typeof event>[3]) => World.put(event(sandbox.world, "A", [id ?? ""], options))
      yield* sandbox.change((world) => put({ title: "First" })({ ...world, events: [] }))
      yield* start({ sinks: [sink], routes })
      const count = Effect.sync(() => received.length)
      yield* eventually(count, (length) => length === 1)
      yield* sandbox.change(put({ title: `Second ${text}` }))
      yield* eventually(withDatabase(Status.status), ({ sinks }) => sinks.some(({ pending }) => pending > 0))
      yield* sandbox.change(put({ title: "Third", status: "Resolved" }))
      yield* eventually(count, (length) => length === 2)
      expect(received.map(({ title }) => title)).toEqual(["First", "Third"])
    }),
  )
}
