/** Runners during an outage of the database that is longer than their leases; with LARGE_INPUTS, during three. */
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import { eventually, ground, postgres } from "./ground.js"

const idOf = /subscriptions\/([^/]+)/
/** About twice as many as all runners poll at once. */
const count = 100
const lease = 4_000
const outages = process.env["LARGE_INPUTS"] === undefined ? 1 : 3

it.live(
  "runners poll each subscription once when the database returns after an outage longer than their leases",
  () =>
    Effect.gen(function* () {
      const { refuse, startProcess, withDatabase } = yield* ground({ subscriptions: count, maxRecordedRequests: 1 })
      const running = new Set<string>()
      const polled = new Set<string>()
      const doubles: Array<string> = []
      yield* refuse(({ target }) => {
        const id = idOf.exec(target)?.[1] ?? ""
        if (running.has(id)) doubles.push(id)
        running.add(id)
        polled.add(id)
        return Effect.map(Effect.sleep("1 second"), () => void running.delete(id))
      })
      const names = ["one", "two", "three"]
      for (const name of names)
        yield* startProcess(name, { lease, minPeriod: 3_000, maxPeriod: 3_000, concurrency: 16 })
      const isPolled = Effect.sync(() => polled.size === count)
      yield* eventually(isPolled, Boolean, "5 minutes")
      for (let outage = 1; outage <= outages; outage++) {
        yield* Effect.promise(async () => (await postgres()).restart(lease + 1_000))
        polled.clear()
        yield* eventually(isPolled, Boolean, "5 minutes")
      }
      expect(doubles).toEqual([])
      const { refused, runners } = yield* withDatabase(Status.status)
      expect({ refused, alive: runners.filter(({ isAlive }) => isAlive).length }).toEqual({ refused: 0, alive: 3 })
    }),
  1_800_000,
)
