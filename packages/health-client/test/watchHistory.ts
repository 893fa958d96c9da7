/** Histories of a watched world, and their invariants. */
import { setImmediate } from "node:timers/promises"
import { expect } from "@effect/vitest"
import type { SubscriptionId, Watch } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { applyMove, empty, hour, move, type Move, updatedAt, type World } from "./watchWorld.js"
import { memory } from "./watched.js"
import { expectation } from "./watchExpectation.js"

const lookback = 48 * hour
const retention = 60 * hour
const unresolvedRetention = 40 * hour

/** A poll. `moves` happen before it, and `meanwhile` at request `at` (from 0), which may fail with `status`. */
interface Round {
  readonly moves: ReadonlyArray<Move>
  readonly at: number
  readonly meanwhile: Move | undefined
  readonly status: number | undefined
}

const quiet: Round = { moves: [], at: -1, meanwhile: undefined, status: undefined }

/**
 * A run of the stream. It stops after `take` changes. If it is tolerant, it continues after a failed poll. If it is killed, it saves
 * nothing more.
 */
interface Session {
  readonly rounds: ReadonlyArray<Round>
  readonly take: number
  readonly isTolerant: boolean
  readonly isKilled: boolean
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

export const history = (sessions: number): FastCheck.Arbitrary<History> =>
  FastCheck.record({
    pageSize: FastCheck.integer({ min: 1, max: 4 }),
    sessions: FastCheck.array(
      FastCheck.record({
        rounds: FastCheck.array(round, { minLength: 1, maxLength: 3 }),
        take: FastCheck.oneof(FastCheck.constant(Number.MAX_SAFE_INTEGER), FastCheck.integer({ min: 1, max: 5 })),
        isTolerant: FastCheck.boolean(),
        isKilled: FastCheck.boolean(),
      }),
      { minLength: 1, maxLength: sessions },
    ),
  })

/** A service with the events of a world, and a watch of it. */
export interface WatchedService {
  readonly subscription: SubscriptionId.SubscriptionId
  readonly watch: (
    id: SubscriptionId.SubscriptionId,
    options: Watch.Options,
  ) => Stream.Stream<Watch.Change, Watch.WatchError>
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
  readonly entries: ReadonlyArray<{
    readonly key: string
    readonly delivered?: HealthEvent.HealthEvent
    readonly pending?: HealthEvent.HealthEvent | null
  }>
}

const parseState = (text: string | undefined): StoredState | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as StoredState)

const pendingOf = (known: StoredState | undefined) =>
  known?.entries.filter(({ pending }) => pending !== undefined) ?? []

/** Runs a history, and checks every change and every moment without pending changes. */
export const run = ({ subscription, watch, before, show }: WatchedService, { sessions }: History) =>
  Effect.gen(function* () {
    // Vitest stops a worker that does not respond for a minute.
    yield* Effect.promise(() => setImmediate())
    const { store: inner, writes } = yield* memory
    let isLost = false
    const set: typeof inner.set = (key, value) => Effect.suspend(() => (isLost ? Effect.void : inner.set(key, value)))
    const store = { ...inner, set }
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

    const session = ({ isKilled, isTolerant, rounds, take }: Session) =>
      Effect.gen(function* () {
        isLost = false
        const known = parseState(writes.at(-1))
        const pendingIds = new Set(pendingOf(known).map(({ key }) => key))
        // Lists of this session may start at the earliest of these.
        const pendingSince = Math.min(
          ...pendingOf(known).map(({ delivered, pending }) => updatedAt(pending ?? delivered ?? {})),
        )
        const delivered = known?.entries.flatMap(({ delivered }) => delivered ?? []) ?? []
        expected.begin(pendingIds, new Map(delivered.map((event) => [event.id ?? "", event])))
        let listedAt = known?.listedAt
        // A watch that was killed before its first change starts over.
        if (known === undefined) complete = undefined
        let poll = {
          round: quiet,
          start: 0,
          now: 0,
          absent: new Set<string>(),
          isDisturbed: false,
          hasFailed: false,
          at: -1,
        }
        let count = 0
        let last: string | undefined

        const deliver = (change: Watch.Change) => {
          // After a kill, further changes reach no consumer.
          if (isLost) return
          const { absent, start } = poll
          // An event that returned with an update time before the start of lists is not listed.
          const isListed = (id: string) => !absent.has(id) && updatedAt(world.events.get(id) ?? {}) >= start
          expected.check(change, Math.min(start, pendingSince), isListed)
          last = change.event.id ?? ""
          count += 1
          isLost = isKilled && count === take
        }

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
                poll.at += 1
                if (poll.at !== at) return Effect.succeed(undefined)
                isLost = isKilled && !isTolerant && status !== undefined
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
        const stream = watch(subscription, {
          store,
          schedule,
          lookback,
          retention,
          unresolvedRetention,
          ...(isTolerant ? { onFailure } : {}),
        })
        const exit = yield* Stream.take(stream, take).pipe(
          Stream.runForEach((change) => Effect.sync(() => deliver(change))),
          Effect.exit,
        )
        // The schedule has ended, unless the consumer stopped before.
        if (Exit.isSuccess(exit) && count < take) finish()
        if (Exit.isFailure(exit)) {
          expect(Cause.squash(exit.cause)).toMatchObject({
            operation: "HealthClient.pagesBySubscription",
            status: poll.round.status,
          })
        }
        // After a stop, only the last change is pending.
        if (!isLost) {
          const unexpected = pendingOf(parseState(writes.at(-1))).filter(
            ({ key }) => key !== last && !pendingIds.has(key),
          )
          expect(unexpected).toEqual([])
        }
      })

    const untilEnd = { take: Number.MAX_SAFE_INTEGER, isTolerant: false, isKilled: false }
    yield* Effect.gen(function* () {
      for (const each of sessions) yield* session(each)
      // The second poll forgets the events that the first list did not reach.
      yield* session({ ...untilEnd, rounds: [quiet, quiet] })
      // Restarted without changes, the watch emits and writes nothing.
      const { length } = writes
      const changes = yield* Stream.runCollect(
        watch(subscription, { store, lookback, retention, unresolvedRetention, schedule: Schedule.recurs(0) }),
      )
      expect(Array.from(changes)).toEqual([])
      expect(writes).toHaveLength(length)
    }).pipe(Effect.provideService(Clock.Clock, clock))
  })
