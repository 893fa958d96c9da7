/** A database that does not respond for longer than the lease. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually, ground, postgres, recorder } from "./ground.js"

const parentOf = (pid: string): number => {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return Number.NaN
  }
}

/** Sends a signal to all processes of the server. */
const signal = (name: NodeJS.Signals) =>
  Effect.map(Effect.promise(postgres), ({ pid }) => {
    const server = pid()
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === server)
    for (const id of [server, ...children.map(Number)]) process.kill(id, name)
  })

it.live(
  "runners continue after the database did not respond for longer than the lease",
  () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      const { received, sink } = recorder()
      const titles = Effect.sync(() => received.map(({ title }) => title))
      yield* put("E", subscriptions, { title: "First", minutesAgo: 2 })
      yield* start({ sinks: [sink] })
      yield* start({ sinks: [sink] })
      yield* eventually(titles, (all) => all.includes("First"))
      yield* signal("SIGSTOP")
      // The lease is a second.
      yield* Effect.sleep("3 seconds")
      yield* signal("SIGCONT")
      yield* put("E", subscriptions, { title: "Second", minutesAgo: 1 })
      yield* eventually(titles, (all) => all.includes("Second"))
      expect([...new Set(received.map(({ id }) => id))]).toHaveLength(2)
    }),
  60_000,
)
