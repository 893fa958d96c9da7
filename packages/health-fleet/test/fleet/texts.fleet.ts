/** Texts that Postgres cannot store unchanged. */
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import { Routes } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { eventually, ground, recorder } from "./ground.js"

const texts = { "a null character": "\u0000", "an unpaired surrogate": "\ud83d" }

/** Routes that group updates for an hour. */
const routes = Result.getOrThrow(
  Routes.parse(
    `{ "sinks": { "recorder": { "type": "alertmanager", "url": "http://localhost" } }, "routes": [{ "to": "recorder", "groupFor": "1 hour" }] }`,
  ),
)

for (const [what, text] of Object.entries(texts)) {
  it.live(`a fleet delivers or replaces notifications of events whose names and titles contain ${what}`, () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { has, received, sink } = recorder()
      const some = subscriptions.slice(0, 1)
      const titles = { A: "Other", D: `Title ${text}`, [`B-${text}-C`]: "Name" }
      for (const [name, title] of Object.entries(titles)) yield* put(name, some, { title })
      yield* start({ sinks: [sink], routes })
      yield* has(3)
      yield* put(`B-${text}-C`, some, { title: `Second ${text}` })
      yield* eventually(withDatabase(Status.status), ({ sinks }) => sinks.some(({ pending }) => pending > 0))
      yield* put(`B-${text}-C`, some, { title: "Third title", status: "Resolved" })
      yield* has(4)
      expect(received.map(({ state }) => state)).toEqual(["opened", "opened", "opened", "resolved"])
      const { failing } = yield* eventually(withDatabase(Status.status), ({ sinks }) => sinks.length === 0)
      expect(failing).toBe(0)
    }),
  )
}
