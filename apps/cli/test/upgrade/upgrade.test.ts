/**
 * The state files of earlier releases, as these wrote them: three events, of which the sink refused one; then an update, a resolution and a fourth event,
 * which wait for the sink. Release 0.2 also stored two resources, by `resources list --watch` and by `serve`.
 */
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import { startReceiver } from "../support/receiver.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

const now = Date.UTC(2026, 10, 28, 6)

interface Event {
  readonly name: string
  readonly properties: object
}

/** The events that a release has stored as known. */
const eventsOf = (file: string): ReadonlyArray<Event> => {
  const { entries, events } = JSON.parse(readFileSync(file, "utf8"))
  return (entries ?? events).map(({ delivered, event }: { delivered?: Event; event?: Event }) => delivered ?? event)
}

const resourceOf = (name: string, availabilityState: string) => ({
  id: `/subscriptions/s/resourceGroups/g/providers/Vendor.Sql/servers/${name}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  properties: { availabilityState, occuredTime: "2026-11-24T12:00:00Z" },
})

/** The files of a release, a service whose event `A` has a newer title and whose `db` is available, and the receiver of the sink. */
const scene = (release: string, state: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const receiver = yield* startReceiver()
    cpSync(fileURLToPath(new URL(release, import.meta.url)), receiver.path, { recursive: true })
    const file = join(receiver.path, state)
    const events = eventsOf(file).map((event) =>
      event.name === "A" ? { ...event, properties: { ...event.properties, title: "newest" } } : event,
    )
    const service = yield* serveSubscriptions(({ target }) =>
      Reply.page(
        target.includes("availabilityStatuses")
          ? [resourceOf("web", "Available"), resourceOf("db", "Available")]
          : events,
      ),
    )
    const flags = ["-s", "s", "--base-url", service.origin, "--state-file", file]
    return { receiver, flags, routes: ["--routes", receiver.routes] }
  })

describe.each(["0.1", "0.2"])("the state file of a watch of release %s", (release) => {
  it.effect("continues: only what is new is printed, what waits is sent, and dead letters are kept", () =>
    Effect.gen(function* () {
      const { flags, receiver, routes } = yield* scene(release, "state")
      const { code, data, notes } = yield* run(["events", "watch", "--once", ...flags, ...routes])
      expect({ code, data, notes }).toEqual({ code: 0, data: [expect.stringContaining("Updated      A")], notes: [] })
      const sent = receiver.received.map(({ key, state, title }) => `${key} ${state} ${title}`)
      expect(sent.toSorted()).toEqual([
        "a updated new title of A",
        "a updated newest",
        "b resolved title of B",
        "c opened title of C",
      ])
      const letters = ["notify", "dead-letters", receiver.routes, ...flags.slice(-2), "-o", "jsonl"]
      expect((yield* run(letters)).data).toEqual([expect.stringContaining('"trackingId":"LOST"')])
    }),
  )
})

describe("the states of resources of release 0.2", () => {
  it.effect.each(["resources", "server"])("of the file %s continue", (state) =>
    Effect.gen(function* () {
      const { flags, receiver } = yield* scene("0.2", "server")
      const args = ["resources", "list", "--watch", "--once", ...flags.slice(0, -1), join(receiver.path, state)]
      expect(yield* run(args)).toMatchObject({ code: 0, data: [expect.stringContaining("Degraded → Available")] })
      expect(yield* run(args)).toMatchObject({ code: 0, data: [] })
      expect(readdirSync(receiver.path)).toContain(`${state}~resources`)
    }),
  )

  it.effect("and its events continue in a server", () =>
    Effect.gen(function* () {
      const { flags, receiver, routes } = yield* scene("0.2", "server")
      const server = yield* startServer("--resources", ...flags, ...routes)
      yield* server.idle
      yield* server.pass("20 seconds")
      const wanted = ["a:updated", "servers/db:resolved"]
      const found = Effect.map(receiver.message, (message) => wanted.find((end) => message.endsWith(end)))
      const both = new Set<string | undefined>()
      while (!wanted.every((end) => both.has(end))) both.add(yield* found)
      expect((yield* server.get("/readyz")).text).toBe("ready\n")
    }),
  )
})
