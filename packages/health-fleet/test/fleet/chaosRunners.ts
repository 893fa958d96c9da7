/** Runners that are killed, suspended or terminated at random, then replaced or continued. */
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Sequence } from "@vigil/testing/random"
import { cycle, pick } from "./chaosWorld.js"
import { type Process, type Settings, startRunner } from "./processes.js"

const actions = ["kill", "stop", "terminate"] as const

/** The mistakes of the runners, and the number of runs of each action. */
export interface Report {
  readonly counts: Record<string, number>
  readonly mistakes: Array<string>
}

/** Retries a database effect while the database restarts. */
export const persist = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(Effect.timeout(effect, "5 seconds"), Schedule.spaced("200 millis"))

const idOf = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.flatMap(sql<{ runner: string }>`SELECT runner FROM vigil_runners WHERE name = ${name}`, ([row]) =>
      row === undefined ? Effect.fail("not registered") : Effect.succeed(row.runner),
    ),
  )

/** Whether a runner has a row. Without a row, it has no claims. */
const isRegistered = (runner: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT FROM vigil_runners WHERE runner = ${runner}`, ({ length }) => length > 0),
  )

/** Starts runners. A terminated runner must end within `patience` ms. `withServer` runs an effect while the database is not restarting. */
export const makeRunners = (
  settings: Settings,
  { lease, patience, report }: { readonly lease: number; readonly patience: number; readonly report: Report },
  withServer: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    let started = 0
    const expected = new Set<Process>()
    const start = Effect.gen(function* () {
      started += 1
      const runner = yield* startRunner(settings, `runner-${started}`)
      const end = Effect.zipWith(
        runner.ended,
        runner.output,
        (end, output) => `${runner.name} ended with ${end}: ${output}`,
      )
      yield* Effect.raceFirst(
        persist(idOf(runner.name)),
        Effect.flatMap(end, (text) => Effect.die(new Error(text))),
      )
      yield* Effect.forkScoped(
        Effect.map(end, (text) => {
          if (!expected.has(runner)) report.mistakes.push(text)
        }),
      )
      return runner
    }).pipe(withServer)

    const terminate = (runner: Process) =>
      Effect.gen(function* () {
        const id = yield* persist(idOf(runner.name))
        const start = Date.now()
        yield* runner.signal("SIGTERM")
        const end = yield* runner.ended.pipe(
          Effect.map(String),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed("a timeout") }),
        )
        report.counts["longest end"] = Math.max(report.counts["longest end"] ?? 0, Date.now() - start)
        if ((yield* persist(isRegistered(id))) || end === "a timeout")
          report.mistakes.push(`${runner.name} ended with ${end} after SIGTERM, and did not leave the fleet.`)
        yield* runner.signal("SIGKILL")
      }).pipe(withServer)

    const slots = yield* Effect.forEach([1, 2, 3], () =>
      Effect.map(start, (runner) => ({ runner, lock: Semaphore.makeUnsafe(1) })),
    )
    const disturb = (random: Sequence, first: (typeof actions)[number]) => {
      const nextAction = cycle(actions, actions.indexOf(first))
      return Effect.suspend(() => {
        const slot = pick(random, slots)
        const action = nextAction()
        const wait = Effect.sleep(lease * (0.25 + 1.5 * random.number()))
        return slot.lock.withPermits(1)(
          Effect.gen(function* () {
            const { runner } = slot
            report.counts[action] = (report.counts[action] ?? 0) + 1
            if (action === "stop") {
              yield* runner.signal("SIGSTOP")
              // Longer than the lease.
              yield* Effect.andThen(Effect.sleep(lease * 1.25), wait)
              return yield* runner.signal("SIGCONT")
            }
            expected.add(runner)
            yield* action === "kill" ? runner.signal("SIGKILL") : terminate(runner)
            yield* runner.ended
            yield* wait
            slot.runner = yield* start
          }),
        )
      })
    }
    return {
      disturb,
      /** Allows the runners to end. */
      end: () => {
        for (const { runner } of slots) expected.add(runner)
      },
    }
  })
