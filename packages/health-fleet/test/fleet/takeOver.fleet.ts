/**
 * Measures how long the running polls of a killed or hanging runner wait until others start them again. LARGE_INPUTS uses the default lease and
 * checks the documented limits. Otherwise, the lease of a killed runner does not end in time, so that only its session can show its end.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually, ground } from "./ground.js"

const isLarge = process.env["LARGE_INPUTS"] !== undefined
const rounds = isLarge ? 8 : 1
const count = 200
/** How long each response takes. */
const delay = "1 second"

const idOf = /subscriptions\/([^/]+)/

const quantile = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const cases = [
  { signal: "SIGKILL", action: "is killed", lease: 3_600_000, limit: 1_500 },
  { signal: "SIGSTOP", action: "hangs", lease: 2_000, limit: 15_000 },
] as const

for (const { action, lease, limit, signal } of cases)
  it.live(
    `other runners poll the subscriptions of a runner that ${action}`,
    () =>
      Effect.gen(function* () {
        const { refuse, sql, startProcess } = yield* ground({ subscriptions: count, maxRecordedRequests: 1 })
        const polls: Array<{ readonly id: string; readonly at: number }> = []
        yield* refuse(({ target }) => {
          polls.push({ id: idOf.exec(target)?.[1] ?? "", at: Date.now() })
          return Effect.as(Effect.sleep(delay), undefined)
        })
        const start = (name: string) =>
          startProcess(name, { minPeriod: 4_000, maxPeriod: 5_000, ...(isLarge ? {} : { lease }) })
        const claims = (name: string) =>
          sql<{ subscription: string }>`
            SELECT subscription FROM vigil_claims JOIN vigil_runners USING (runner)
            WHERE name = ${name} AND token IS NOT NULL`
        yield* start("survivor 1")
        yield* start("survivor 2")
        const waits: Array<number> = []
        for (let round = 1; round <= rounds; round++) {
          const name = `victim ${round}`
          const victim = yield* start(name)
          // Most of its claims are polls that wait for a response.
          yield* eventually(claims(name), ({ length }) => length >= 6, "1 minute")
          yield* victim.signal(signal)
          const at = Date.now()
          const orphans = yield* claims(name)
          const seen = polls.length
          const next = (id: string) => polls.slice(seen).find((poll) => poll.id === id)
          const found = yield* Effect.repeat(
            Effect.map(Effect.sleep("50 millis"), () => orphans.map(({ subscription }) => next(subscription))),
            { until: (all) => all.every((poll) => poll !== undefined) },
          ).pipe(Effect.timeout("2 minutes"))
          waits.push(...found.map((poll) => (poll?.at ?? Infinity) - at))
          yield* victim.signal("SIGKILL")
        }
        const sorted = waits.toSorted((one, other) => one - other)
        const shares = [0, 0.5, 0.95, 1].map((share) => quantile(sorted, share))
        process.stdout.write(
          `${signal}: ${sorted.length} polls, minimum, median, p95, maximum: ${shares.join(", ")} ms\n`,
        )
        expect(sorted.length).toBeGreaterThan(0)
        if (isLarge) expect(quantile(sorted, 0.95)).toBeLessThanOrEqual(limit)
      }),
    1_800_000,
  )
