/**
 * Tests three runner processes while runners, the database, the connection to the service and receivers fail at random. CHAOS_SEED repeats
 * a run. A run takes 15 seconds, with LARGE_INPUTS 10 minutes, or CHAOS_SECONDS; longer if no outcome was refused by then.
 */
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { sequence } from "@vigil/testing/random"
import { makeRunners, persist, type Report } from "./chaosRunners.js"
import {
  change,
  cycle,
  follow,
  isCurrent,
  isPoisonous,
  type Item,
  makeItems,
  mistakes,
  pick,
  show,
} from "./chaosWorld.js"
import { ground, postgres } from "./ground.js"
import { startReceiver } from "./receiver.js"

const isLarge = process.env["LARGE_INPUTS"] !== undefined
const seconds = Number(process.env["CHAOS_SECONDS"] ?? (isLarge ? 600 : 30))
/** Each subscription is polled at the end, so a short run has fewer, in shorter periods. */
const [count, minPeriod, maxPeriod] = isLarge ? [300, 6_000, 8_000] : [150, 3_000, 4_000]
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000)
/** Also limits each transaction, which takes seconds on a busy machine. */
const lease = isLarge ? 2_000 : 3_000

const failures = ["database", "down", "hung", "fail", "lost"] as const

const deadLetters = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ sink: string; id: string; name: string }>`
    SELECT sink, notification::json->>'id' AS id, notification::json->>'trackingId' AS name FROM vigil_dead_letters`,
)

/** Whether the strict receiver may refuse the last notification. A withdrawal repeats the previous title of the event. */
const isRefused = (item: Item): boolean => isPoisonous(item) || (item.isPoison && !item.isListed)

it.live(
  "all sinks receive the final state of every event, despite crashes, pauses, restarts and failures",
  () =>
    Effect.gen(function* () {
      // Each use has its own sequence, because they run concurrently.
      const random = (use: number) => sequence(seed * 10 + use)
      const [worldRandom, failureRandom, delayRandom] = [random(1), random(2), random(3)]
      const report: Report = { counts: {}, mistakes: [] }

      const {
        accessToken,
        baseUrl,
        change: changeTo,
        subscriptions,
        refuse,
        url,
        withDatabase: provide,
      } = yield* ground({
        subscriptions: count,
        maxRecordedRequests: 1,
      })
      const ids: ReadonlyArray<string> = subscriptions
      const items = new Map(makeItems(worldRandom, ids).map((item) => [item.name, item]))
      for (const item of items.values()) yield* changeTo(show(item))
      const delay = () => 50 + delayRandom.integer(250)
      let service: "down" | "hung" | "open" = "open"
      yield* refuse(() =>
        Effect.map(Effect.repeat(Effect.sleep(delay()), { while: () => service === "hung" }), () =>
          service === "down" ? 503 : undefined,
        ),
      )
      const [steady, strict, flaky] = yield* Effect.all([
        startReceiver("steady", () => delayRandom.integer(50)),
        startReceiver("strict", () => delayRandom.integer(50)),
        startReceiver("flaky", () => delayRandom.integer(50)),
      ])
      strict.reply((notification) => (isPoisonous(notification) ? "refuse" : "accept"))
      const sinks = [steady, strict, flaky].map((receiver) => ({ ...receiver, known: follow(receiver.received) }))

      const withDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => provide(persist(effect))
      const server = Semaphore.makeUnsafe(1)
      const settings = {
        baseUrl,
        token: accessToken,
        url,
        sinks,
        options: { lease, minPeriod, maxPeriod, concurrency: 16 },
      }
      const runners = yield* provide(
        makeRunners(settings, { lease, report, patience: isLarge ? 15_000 : 60_000 }, server.withPermits(1)),
      )

      const isKnown = (item: Item): boolean => sinks.every(({ known }) => isCurrent(item, known().get(item.name)))
      const changeWorld = Effect.suspend(() => {
        const item = pick(worldRandom, [...items.values()])
        const next = change(worldRandom, item, ids)
        if (item.isPaced && !isKnown(item)) return Effect.void
        report.counts["change"] = (report.counts["change"] ?? 0) + 1
        items.set(item.name, next)
        return changeTo(show(next))
      })
      const nextFailure = cycle(failures, failureRandom.integer(failures.length))
      const fail = Effect.suspend(() => {
        const failure = nextFailure()
        const wait = Effect.sleep(1_000 + failureRandom.integer(4_000))
        report.counts[failure] = (report.counts[failure] ?? 0) + 1
        if (failure === "database") {
          // The first outage, the third and so on are longer than the leases.
          const downtime = (report.counts[failure] % 2) * 1.5 * lease
          return server.withPermits(1)(Effect.promise(async () => (await postgres()).restart(downtime)))
        }
        if (failure === "down" || failure === "hung") {
          service = failure
          return Effect.map(wait, () => {
            service = "open"
          })
        }
        flaky.reply(() => failure)
        return Effect.map(wait, () => flaky.reply(() => "accept"))
      })
      const pause = Effect.suspend(() => Effect.sleep(500 + failureRandom.integer(2_000)))
      const end = Date.now() + seconds * 1_000
      const isOver = () => Date.now() > end
      const disturbances = [
        // The outcomes of a runner that hangs may be refused when it continues: `leases.fleet.ts` shows that they are.
        runners.disturb(random(4), "stop"),
        runners.disturb(random(5), "kill"),
        Effect.andThen(fail, pause),
        Effect.delay(changeWorld, "50 millis"),
      ]
      yield* provide(
        Effect.all(
          disturbances.map((disturb) => Effect.repeat(disturb, { until: isOver })),
          { concurrency: "unbounded" },
        ),
      )

      // The changes and failures end, so the outbox drains.
      const restedAt = Date.now()
      const isDrained = withDatabase(
        Effect.gen(function* () {
          const { refused, sinks } = yield* Status.status
          const all = yield* Status.subscriptions
          const isPolled = all.every(
            ({ succeededAt }) => succeededAt !== null && succeededAt.getTime() > restedAt + 1_000,
          )
          report.counts["refused"] = refused
          return isPolled && sinks.every(({ pending }) => pending === 0)
        }),
      )
      const drained = yield* Effect.repeat(isDrained, { until: Boolean, schedule: Schedule.spaced("500 millis") }).pipe(
        Effect.timeoutOption("10 minutes"),
      )
      const status = yield* withDatabase(Status.status)
      const dead = yield* withDatabase(deadLetters)
      runners.end()
      for (const { name, received } of sinks) report.counts[`${name} received`] = received.length
      process.stdout.write(
        `CHAOS_SEED=${seed} ${JSON.stringify(report.counts)} drained in ${Date.now() - restedAt} ms\n`,
      )

      expect(drained._tag, JSON.stringify(status)).toBe("Some")
      expect(report.mistakes).toEqual([])
      const isDead = (item: Item): boolean => isRefused(item) && dead.some(({ name }) => name === item.name)
      for (const { known, name, received } of sinks) {
        expect(mistakes(received)).toEqual([])
        const wrong = [...items.values()].filter(
          (item) => !isCurrent(item, known().get(item.name)) && !(name === strict.name && isDead(item)),
        )
        expect(wrong.map((item) => ({ item, known: known().get(item.name) }))).toEqual([])
      }
      expect(dead.length).toBeGreaterThan(0)
      expect([...new Set(dead.map(({ sink }) => sink))]).toEqual([strict.name])
      expect(new Set(dead.map(({ id }) => id))).toEqual(strict.refused)
    }),
  1_800_000,
)
