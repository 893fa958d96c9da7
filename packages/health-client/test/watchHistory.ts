/** Histories of a watched world, and their invariants. */
import { setImmediate } from "node:timers/promises"
import { expect } from "@effect/vitest"
import { HealthClient, type SubscriptionId, Watch, WatchStore } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Schedule from "effect/Schedule"
import { applyMove, empty, hour, move, type Move, updatedAt, type World } from "./watchWorld.js"
import { expectation } from "./watchExpectation.js"

const lookback = 48 * hour
const retention = 30 * 24 * hour
const unresolvedRetention = 90 * 24 * hour

/** A poll. `moves` happen before it, and `meanwhile` at request `at` (from 0), which may fail with `status`. */
interface Round {
  readonly moves: ReadonlyArray<Move>
  readonly at: number
  readonly meanwhile: Move | undefined
  readonly status: number | undefined
}

const quiet: Round = { moves: [], at: -1, meanwhile: undefined, status: undefined }

/** A call of the handler fails, before or after the consumer has recorded the change. */
interface Failure {
  readonly call: number
  readonly isRecorded: boolean
}

/** A run. If it is tolerant, it continues after a failed poll. It is killed at a call of the handler, and then saves nothing more. */
interface Session {
  readonly rounds: ReadonlyArray<Round>
  readonly concurrency: number
  readonly retries: number
  readonly failures: ReadonlyArray<Failure>
  readonly kill: Failure | undefined
  readonly isTolerant: boolean
}

export interface History {
  readonly pageSize: number
  readonly sessions: ReadonlyArray<Session>
}

const round: FastCheck.Arbitrary<Round> = FastCheck.record({
  moves: FastCheck.array(move, { maxLength: 6 }),
  at: FastCheck.nat(6),
  meanwhile: FastCheck.option(move, { nil: undefined, freq: 2 }),
  status: FastCheck.option(FastCheck.constantFrom(500, 403), { nil: undefined, freq: 1 }),
})

const failure: FastCheck.Arbitrary<Failure> = FastCheck.record({
  call: FastCheck.nat(8),
  isRecorded: FastCheck.boolean(),
})

export const history = (sessions: number): FastCheck.Arbitrary<History> =>
  FastCheck.record({
    pageSize: FastCheck.integer({ min: 1, max: 4 }),
    sessions: FastCheck.array(
      FastCheck.record({
        rounds: FastCheck.array(round, { minLength: 1, maxLength: 3 }),
        concurrency: FastCheck.integer({ min: 1, max: 4 }),
        retries: FastCheck.nat(1),
        failures: FastCheck.array(failure, { maxLength: 2 }),
        kill: FastCheck.option(failure, { nil: undefined, freq: 2 }),
        isTolerant: FastCheck.boolean(),
      }),
      { minLength: 1, maxLength: sessions },
    ),
  })

/** A service with the events of a world, and its client. */
export interface WatchedService {
  readonly subscription: SubscriptionId.SubscriptionId
  readonly client: HealthClient.Service
  /** Serves the current world. */
  readonly show: (world: World) => Effect.Effect<void>
  /** Runs at each request, which may fail. */
  readonly before: (hook: () => Effect.Effect<number | undefined>) => Effect.Effect<void>
}

/** A clock that tests can set, and that sleeps like the real one. */
const clockOf = (now: () => number): Effect.Effect<Clock.Clock> =>
  Effect.clockWith((real) =>
    Effect.succeed({
      ...real,
      sleep: (duration) => real.sleep(duration),
      currentTimeMillisUnsafe: now,
      currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
      monotonicTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
      monotonicTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    }),
  )

/** The state in the store. */
interface StoredState {
  readonly listedAt: number
  readonly events: ReadonlyArray<{ readonly event: HealthEvent.HealthEvent }>
  readonly pending: ReadonlyArray<Watch.Change>
}

const parseState = (text: string | undefined): StoredState | undefined => {
  if (text === undefined) return undefined
  const { events, listedAt, pending } = JSON.parse(text) as {
    readonly listedAt: number
    readonly events: ReadonlyArray<{ readonly key: string; readonly event: HealthEvent.HealthEvent }>
    readonly pending: ReadonlyArray<{ readonly key?: string }>
  }
  const byKey = new Map(events.map(({ event, key }) => [key, event]))
  const withEvent = ({ key, ...change }: { readonly key?: string }) =>
    ({ ...change, ...(key === undefined ? {} : { event: byKey.get(key) }) }) as Watch.Change
  return { listedAt, events, pending: pending.map((change) => withEvent(change)) }
}

/** As text to compare, whatever the order of the fields. */
const textOf = ({ _tag, event, ...changes }: Watch.Change) => JSON.stringify([_tag, event, changes])

const idOf = ({ event }: { readonly event: HealthEvent.HealthEvent }) => event.id ?? ""

/** Runs a history, and checks every change, every stored state and every moment without pending changes. */
export const run = ({ before, client, show, subscription }: WatchedService, { sessions }: History) =>
  Effect.gen(function* () {
    // Vitest stops a worker that does not respond for a minute.
    yield* Effect.promise(() => setImmediate())
    const inner = yield* WatchStore.makeMemory
    let isLost = false
    let writes = 0
    let text: string | undefined
    /** The changes whose handler has succeeded, as JSON. */
    const handled = new Set<string>()
    const save = (next: string) =>
      Effect.flatMap(Effect.yieldNow, () => {
        if (isLost) return Effect.void
        const left = new Set(parseState(next)?.pending.map((change) => textOf(change)))
        for (const change of parseState(text)?.pending ?? []) {
          const json = textOf(change)
          if (!left.has(json)) expect(handled).toContain(json)
        }
        writes += 1
        text = next
        return inner.save(next)
      })
    const store: WatchStore.Service = { load: inner.load, save }
    const expected = expectation({ lookback, retention, unresolvedRetention })
    let world = empty
    /** The time of the last complete list, or of the first poll. */
    let complete: number | undefined
    const clock = yield* clockOf(() => world.now)

    const applyMoves = (moves: ReadonlyArray<Move>) =>
      Effect.suspend(() => {
        world = moves.reduce((world, move) => applyMove(world, move), world)
        return show(world)
      })

    const session = ({ concurrency, failures, isTolerant, kill, retries, rounds }: Session) =>
      Effect.gen(function* () {
        isLost = false
        const known = parseState(text)
        const pending = known?.pending ?? []
        const pendingIds = new Set(pending.map(idOf))
        expected.begin(pendingIds, new Map(known?.events.map((entry) => [idOf(entry), entry.event])))
        let listedAt = known?.listedAt
        let poll = {
          round: quiet,
          start: 0,
          now: 0,
          absent: new Set<string>(),
          isDisturbed: false,
          hasFailed: false,
          at: -1,
        }
        let isPolling = false
        let calls = 0
        const active = new Set<string>()

        const record = (change: Watch.Change) => {
          const { absent, start } = poll
          // An event that returned with an update time before the start of lists is not listed.
          const isListed = (id: string) => !absent.has(id) && updatedAt(world.events.get(id) ?? {}) >= start
          expected.check(change, isPolling ? { start, isListed } : undefined)
        }

        const handler = (change: Watch.Change) =>
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
            if (fault !== undefined && !fault.isRecorded) {
              isLost = fault === kill
              return yield* Effect.fail("failed" as const)
            }
            record(change)
            handled.add(textOf(change))
            if (fault === undefined) return
            handled.delete(textOf(change))
            expected.repeat(id)
            isLost = fault === kill
            return yield* Effect.fail("failed" as const)
          }).pipe(Effect.ensuring(Effect.sync(() => active.delete(idOf(change)))))

        const prepare = (round: Round) =>
          Effect.gen(function* () {
            const { at, meanwhile, moves, status } = round
            yield* applyMoves(moves)
            const { now } = world
            const start = Math.max(0, Math.min(now, listedAt ?? now) - lookback)
            complete ??= now
            listedAt ??= now
            // No list starts later than the last complete one requires.
            expect(start).toBeLessThanOrEqual(Math.min(now, complete) - lookback)
            expected.recordList(start, now)
            const known = Array.from({ length: 8 }, (_, event) => `/events/${event}`)
            const absent = new Set(known.filter((id) => !world.events.has(id)))
            poll = { round, start, now, absent, isDisturbed: false, hasFailed: false, at: -1 }
            yield* before(() =>
              Effect.suspend(() => {
                isPolling = true
                poll.at += 1
                if (poll.at !== at) return Effect.succeed(undefined)
                isLost = kill !== undefined && !isTolerant && status !== undefined
                if (meanwhile === undefined) return Effect.succeed(status)
                poll.isDisturbed = true
                return Effect.as(applyMoves([meanwhile]), status)
              }),
            )
          })

        const finish = () => {
          if (poll.hasFailed) return
          complete = poll.now
          listedAt = poll.now
          if (!poll.isDisturbed) expected.compare(world, poll.start)
        }

        const [first, ...others] = rounds
        if (first === undefined) return
        yield* prepare(first)
        const schedule = Schedule.tap(Schedule.recurs(others.length), ({ output: index }) => {
          finish()
          const next = others[index]
          return next === undefined ? Effect.void : prepare(next)
        })
        const onFailure = () =>
          Effect.sync(() => {
            poll.hasFailed = true
          })
        const exit = yield* Watch.run(subscription, handler, {
          schedule,
          lookback,
          concurrency,
          retry: Schedule.recurs(retries),
          ...(isTolerant ? { onFailure } : {}),
        }).pipe(
          Effect.provideService(WatchStore.WatchStore, store),
          Effect.provideService(HealthClient.HealthClient, client),
          Effect.exit,
        )
        if (Exit.isSuccess(exit)) return finish()
        const error = Cause.squash(exit.cause)
        if (error === "failed" || error === "killed") return
        expect(error).toMatchObject({
          operation: "HealthClient.pagesBySubscription",
          reason: { status: poll.round.status },
        })
      })

    const untilEnd = { concurrency: 1, retries: 0, failures: [], kill: undefined, isTolerant: false }
    yield* Effect.gen(function* () {
      for (const each of sessions) yield* session(each)
      yield* session({ ...untilEnd, rounds: [quiet, quiet] })
      expect(parseState(text)?.pending).toEqual([])
      // Restarted without changes, the watch handles and writes nothing.
      const before = writes
      yield* session({ ...untilEnd, rounds: [quiet], failures: [{ call: 0, isRecorded: true }] })
      expect(writes).toBe(before)
    }).pipe(Effect.provideService(Clock.Clock, clock))
  })
