/**
 * A watch compared with a model. Events appear, change, disappear and age. Polls fail, shift and are stopped at any point. Each run may read another
 * version of the API.
 */
import { setImmediate } from "node:timers/promises"
import { expect } from "@effect/vitest"
import { HealthClient, Watch } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as property from "@vigil/testing/property"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as progress from "../src/internal/progress.js"
import { makeStore, serve, subscription, versions } from "./watched.js"
import { expectation, lookback } from "./watchExpectation.js"
import { applyMove, empty, listEvents, move, type Move, updatedAt, viewOf } from "./watchWorld.js"

/** A poll. `moves` happen before it, and `meanwhile` at request `at` (from 0), which may fail with `status`. */
const round = FastCheck.record({
  moves: FastCheck.array(move, { maxLength: 6 }),
  at: FastCheck.nat(3),
  meanwhile: FastCheck.option(move, { nil: undefined, freq: 2 }),
  status: FastCheck.option(FastCheck.constantFrom(500, 403), { nil: undefined, freq: 1 }),
})

/** A call of the handler fails, before or after the consumer has recorded the change. */
const failure = FastCheck.record({ call: FastCheck.nat(8), isRecorded: FastCheck.boolean() })

/** A run. If it is tolerant, it continues after a failed poll. It is killed at a call of the handler, and then saves nothing more. */
const session = FastCheck.record({
  rounds: FastCheck.array(round, { minLength: 1, maxLength: 3 }),
  concurrency: FastCheck.integer({ min: 1, max: 4 }),
  retries: FastCheck.nat(1),
  failures: FastCheck.array(failure, { maxLength: 2 }),
  kill: FastCheck.option(failure, { nil: undefined, freq: 2 }),
  isTolerant: FastCheck.boolean(),
  apiVersion: FastCheck.constantFrom(...versions),
})

type Value<A> = A extends FastCheck.Arbitrary<infer V> ? V : never
type Session = Value<typeof session>

const quiet: Value<typeof round> = { moves: [], at: -1, meanwhile: undefined, status: undefined }
const undisturbed: Omit<Session, "rounds"> = {
  concurrency: 1,
  retries: 0,
  failures: [],
  kill: undefined,
  isTolerant: false,
  apiVersion: ApiVersion.latest,
}

/** A clock that shows the time of the world, and does not sleep, so that progress is stored all the time, and no write times out. */
const clockOf = (now: () => number) =>
  Effect.clockWith((real) =>
    Effect.succeed<Clock.Clock>({
      ...real,
      sleep: (duration) => (Duration.toMillis(duration) < 1_000 ? Effect.yieldNow : Effect.never),
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    }),
  )

/** The state as a new run loads it. */
const load = (values: ReadonlyMap<string, string>) => {
  const key = [...values.keys()].find((key) => !key.endsWith("/handled")) ?? ""
  const text = values.get(key)
  if (text === undefined) return undefined
  const stored = Result.getOrThrow(Watch.feed(subscription, { read: () => Effect.succeed([]) }).decode(text))
  return progress.without(stored, progress.decode(values.get(`${key}/handled`), stored))
}

/** As text to compare, whatever the order of the fields. */
const textOf = ({ _tag, event, ...changes }: Watch.Change<ApiVersion.ApiVersion>) =>
  JSON.stringify([_tag, event, changes])

const idOf = ({ event }: { readonly event: HealthEvent.AnyEvent }) => event.id ?? ""

/** Runs sessions, and checks every change, every stored state and every moment without pending changes. */
const run = (pageSize: number, sessions: ReadonlyArray<Session>) =>
  Effect.gen(function* () {
    // Vitest stops a worker that does not respond for a minute.
    yield* Effect.promise(() => setImmediate())
    const { client, list } = yield* serve()
    list.pageSize = pageSize
    list.view = (entry, apiVersion) => viewOf(entry as HealthEvent.HealthEvent, apiVersion)
    const expected = expectation()
    let world = empty
    let isLost = false
    let writes = 0
    const { store: memory, values } = makeStore()
    /** The changes whose handler has succeeded. */
    const handledTexts = new Set<string>()
    /** The time of the last complete list, or of the first poll. */
    let complete: number | undefined

    /** A write, unless the process is dead. No change leaves the pending ones before its handler has succeeded. */
    const write = <A, E>(change: Effect.Effect<A, E>) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.suspend(() => {
          if (isLost) return Effect.void
          const before = load(values)?.pending.map(textOf) ?? []
          writes += 1
          return Effect.map(change, () => {
            const left = new Set(load(values)?.pending.map(textOf))
            for (const change of before) if (!left.has(change)) expect(handledTexts).toContain(change)
          })
        }),
      )
    const store = {
      ...memory,
      set: (key: string, text: string | Uint8Array) => write(memory.set(key, text)),
      remove: (key: string) => write(memory.remove(key)),
    }

    const applyMoves = (...moves: ReadonlyArray<Move>) => {
      world = moves.reduce(applyMove, world)
      list.entries = listEvents(world)
    }

    /** An event that returned with an update time before the start of lists is not listed. */
    const isInList = (id: string, start: number) => updatedAt(world.events.get(id) ?? {}) >= start

    const runSession = ({ apiVersion, concurrency, failures, isTolerant, kill, retries, rounds }: Session) =>
      Effect.gen(function* () {
        isLost = false
        const known = load(values)
        expected.begin(known)
        let listedAt = known?.state.listedAt
        let poll = { round: quiet, start: 0, now: 0, unlisted: new Set<string>(), isDisturbed: false, hasFailed: false }
        let isPolling = false
        let calls = 0
        const active = new Set<string>()

        const handler = (change: Watch.Change<ApiVersion.ApiVersion>) =>
          Effect.gen(function* () {
            const id = idOf(change)
            // The handlers run after a complete list.
            if (isPolling) complete = poll.now
            expect(active).not.toContain(id)
            active.add(id)
            const call = calls++
            const fault = kill?.call === call ? kill : failures.find((failure) => failure.call === call)
            for (let step = call % 3; step > 0; step -= 1) yield* Effect.yieldNow
            // After a kill, no change reaches the consumer.
            if (isLost) return yield* Effect.fail("killed" as const)
            if (fault === undefined || fault.isRecorded) {
              const { start, unlisted } = poll
              const isListed = (id: string) => !unlisted.has(id) && isInList(id, start)
              expected.check(change, isPolling ? { start, isListed } : undefined)
            }
            if (fault === undefined) return void handledTexts.add(textOf(change))
            handledTexts.delete(textOf(change))
            if (fault.isRecorded) expected.repeat(id)
            isLost = fault === kill
            return yield* Effect.fail("failed" as const)
          }).pipe(Effect.ensuring(Effect.sync(() => active.delete(idOf(change)))))

        const prepare = (round: typeof quiet) => {
          applyMoves(...round.moves)
          const { now } = world
          const start = Math.max(0, Math.min(now, listedAt ?? now) - lookback)
          complete ??= now
          listedAt ??= now
          // No list starts later than the last complete one requires.
          expect(start).toBeLessThanOrEqual(Math.min(now, complete) - lookback)
          expected.recordList(start, now)
          const known = Array.from({ length: 8 }, (_, event) => `/events/${event}`)
          // Moves during the poll may list such an event after the page that would contain it was read.
          const unlisted = new Set(known.filter((id) => !isInList(id, start)))
          poll = { round, start, now, unlisted, isDisturbed: false, hasFailed: false }
          list.requests.length = 0
          list.before = (request) => {
            isPolling = true
            if (request !== round.at) return undefined
            isLost = kill !== undefined && !isTolerant && round.status !== undefined
            if (round.meanwhile !== undefined) {
              poll.isDisturbed = true
              applyMoves(round.meanwhile)
            }
            return round.status
          }
        }

        const finish = () => {
          if (poll.hasFailed) return
          complete = poll.now
          listedAt = poll.now
          if (!poll.isDisturbed) expected.compare(world, poll.start)
        }

        const [first = quiet, ...others] = rounds
        prepare(first)
        const schedule = Schedule.tap(Schedule.recurs(others.length), ({ output: index }) =>
          Effect.sync(() => {
            finish()
            const next = others[index]
            if (next !== undefined) prepare(next)
          }),
        )
        const onFailure = () => Effect.sync(() => void (poll.hasFailed = true))
        const options = { schedule, lookback, concurrency, retry: Schedule.recurs(retries), apiVersion }
        const watch = isTolerant
          ? Watch.run(subscription, handler, { ...options, onFailure })
          : Watch.run(subscription, handler, options)
        const exit = yield* watch.pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, store),
          Effect.provideService(HealthClient.HealthClient, client),
          Effect.exit,
        )
        if (Exit.isSuccess(exit)) return finish()
        const error = Cause.squash(exit.cause)
        if (error !== "failed" && error !== "killed")
          expect(error).toMatchObject({ _tag: "RequestError", reason: { status: poll.round.status } })
      })

    yield* Effect.gen(function* () {
      for (const each of sessions) yield* runSession(each)
      yield* runSession({ ...undisturbed, rounds: [quiet, quiet] })
      expect(load(values)?.pending).toEqual([])
      // Restarted without changes, the watch handles and writes nothing.
      const before = writes
      yield* runSession({ ...undisturbed, rounds: [quiet], failures: [{ call: 0, isRecorded: true }] })
      expect(writes).toBe(before)
    }).pipe(Effect.provideService(Clock.Clock, yield* clockOf(() => world.now)))
  })

const numRuns = Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 100) / 2)

property.live(
  "a watch handles each change at least once, in the order of its event, and stores none before, over changes of the API version",
  [FastCheck.integer({ min: 1, max: 4 }), FastCheck.array(session, { minLength: 1, maxLength: 6 })],
  ([pageSize, sessions]) => run(pageSize, sessions),
  { fastCheck: { numRuns } },
)
