/** Histories of a watched world, and the rules that every one of them keeps. */
import { setImmediate } from "node:timers/promises"
import { expect } from "@effect/vitest"
import type { SubscriptionId, Watch } from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { after, empty, hour, move, type Move, updated, type World } from "./watchWorld.js"
import { memory } from "./watched.js"
import { ledger } from "./watchLedger.js"

const lookback = 48 * hour
const retention = 60 * hour
const unresolvedRetention = 40 * hour

/** A reading: what happens before it, and at one of its requests (counted from 0), which may be refused. */
interface Round {
  readonly moves: ReadonlyArray<Move>
  readonly at: number
  readonly meanwhile: Move | undefined
  readonly status: number | undefined
}

const quiet: Round = { moves: [], at: -1, meanwhile: undefined, status: undefined }

/**
 * A run of the stream: its readings, after how many changes it is stopped, whether it goes on after a failure, and whether it is killed
 * when it is stopped or fails: then it keeps nothing more.
 */
interface Session {
  readonly rounds: ReadonlyArray<Round>
  readonly take: number
  readonly isTolerant: boolean
  readonly isKilled: boolean
}

export interface History {
  readonly pageSize: number
  readonly prefetch: number
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
    prefetch: FastCheck.constantFrom(0, 0, 2),
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

/** Where the world is served. */
export interface Ground {
  readonly subscription: SubscriptionId.SubscriptionId
  readonly watch: (
    id: SubscriptionId.SubscriptionId,
    options: Watch.Options,
  ) => Stream.Stream<Watch.Change, Watch.WatchError>
  /** Shows the world as it is now. */
  readonly show: (world: World) => Effect.Effect<void>
  /** What is run at each request, and may refuse it. */
  readonly before: (hook: () => Effect.Effect<number | undefined>) => Effect.Effect<void>
}

/** A clock that tells what it is told, and waits as the real one does. */
const clockOf = (now: () => number): Effect.Effect<Clock.Clock> =>
  Effect.clockWith((real) =>
    Effect.succeed({
      ...real,
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: (duration) => real.sleep(duration),
      unsafeCurrentTimeMillis: now,
      unsafeCurrentTimeNanos: () => BigInt(now()) * 1_000_000n,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    }),
  )

/** What the store has. */
interface Kept {
  readonly listedAt: number
  readonly entries: ReadonlyArray<{
    readonly key: string
    readonly delivered?: HealthEvent.HealthEvent
    readonly pending?: unknown
  }>
}

const kept = (text: string | undefined): Kept | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Kept)

const pendingOf = (known: Kept | undefined) => known?.entries.filter(({ pending }) => pending !== undefined) ?? []

/** Runs a history, checks every change and every quiet moment of it. */
export const run = ({ subscription, watch, before, show }: Ground, { prefetch, sessions }: History) =>
  Effect.gen(function* () {
    // A slow machine's thread that is held for a minute counts as dead.
    yield* Effect.promise(() => setImmediate())
    const { store: inside, writes } = yield* memory
    let isLost = false
    const set: typeof inside.set = (key, value) => Effect.suspend(() => (isLost ? Effect.void : inside.set(key, value)))
    const store = { ...inside, set }
    const told = ledger({ lookback, retention, unresolvedRetention })
    let world = empty
    /** When the last complete list was read, or the first one begun. */
    let complete: number | undefined
    const clock = yield* clockOf(() => world.now)

    const happen = (moves: ReadonlyArray<Move>) =>
      Effect.suspend(() => {
        world = moves.reduce((world, move) => after(world, move), world)
        return show(world)
      })

    const session = ({ isKilled, isTolerant, rounds, take }: Session) =>
      Effect.gen(function* () {
        isLost = false
        const known = kept(writes.at(-1))
        const doubts = new Set(pendingOf(known).map(({ key }) => key))
        const delivered = known?.entries.flatMap(({ delivered }) => delivered ?? []) ?? []
        told.begin(doubts, new Map(delivered.map((event) => [event.id ?? "", event])))
        let listedAt = known?.listedAt
        // Killed before it told anything, it begins anew.
        if (known === undefined) complete = undefined
        let reading = {
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
          // Killed is killed: what it would still tell reaches nobody.
          if (isLost) return
          const { absent, start } = reading
          // One that came back with a last update that lists don't reach is not there for them.
          const wasThere = (id: string) => !absent.has(id) && updated(world.events.get(id) ?? {}) >= start
          told.tell(change, start, wasThere)
          last = change.event.id ?? ""
          count += 1
          isLost = isKilled && count === take
        }

        const prepare = (round: Round) =>
          Effect.gen(function* () {
            const { at, meanwhile, moves, status } = round
            yield* happen(moves)
            const { now } = world
            const start = Math.max(0, Math.min(now, listedAt ?? now) - lookback)
            complete ??= now
            listedAt ??= now
            // Whatever was stopped or failed before: no list begins later than the last complete one asks for.
            expect(start).toBeLessThanOrEqual(Math.min(now, complete) - lookback)
            told.reach(start, now)
            const known = Array.from({ length: 8 }, (_, event) => `/events/${event}`)
            const absent = new Set(known.filter((id) => !world.events.has(id)))
            reading = { round, start, now, absent, isDisturbed: false, hasFailed: false, at: -1 }
            yield* before(() =>
              Effect.suspend(() => {
                reading.at += 1
                if (reading.at !== at) return Effect.succeed(undefined)
                isLost = isKilled && !isTolerant && status !== undefined
                if (meanwhile === undefined) return Effect.succeed(status)
                reading.isDisturbed = true
                return Effect.as(happen([meanwhile]), status)
              }),
            )
          })

        const finish = () => {
          if (reading.hasFailed) return
          complete = reading.now
          listedAt = reading.now
          if (!reading.isDisturbed) told.compare(world, reading.start)
        }

        const [first, ...others] = rounds
        if (first === undefined) return
        yield* prepare(first)
        const schedule = Schedule.tapOutput(Schedule.recurs(others.length), (index) => {
          finish()
          const next = others[index]
          return next === undefined ? Effect.void : prepare(next)
        })
        const onFailure = () =>
          Effect.sync(() => {
            reading.hasFailed = true
          })
        const stream = watch(subscription, {
          store,
          schedule,
          lookback,
          retention,
          unresolvedRetention,
          prefetch,
          ...(isTolerant ? { onFailure } : {}),
        })
        const exit = yield* Stream.take(stream, take).pipe(
          Stream.runForEach((change) => Effect.sync(() => deliver(change))),
          Effect.exit,
        )
        if (Exit.isFailure(exit)) {
          expect(Cause.squash(exit.cause)).toMatchObject({
            operation: "HealthClient.pagesBySubscription",
            status: reading.round.status,
          })
        }
        // Stopped, not killed: of what it began to tell, only the last is in doubt.
        if (!isLost) {
          const doubted = pendingOf(kept(writes.at(-1))).filter(({ key }) => key !== last && !doubts.has(key))
          expect(doubted).toEqual([])
        }
      })

    const all = { take: Number.MAX_SAFE_INTEGER, isTolerant: false, isKilled: false }
    yield* Effect.gen(function* () {
      for (const each of sessions) yield* session(each)
      // The second reading forgets what the first one did not reach.
      yield* session({ ...all, rounds: [quiet, quiet] })
      // Started again, with nothing new, it tells nothing, and writes nothing.
      const { length } = writes
      const still = yield* Stream.runCollect(
        watch(subscription, { store, lookback, retention, unresolvedRetention, schedule: Schedule.stop }),
      )
      expect(Array.from(still)).toEqual([])
      expect(writes).toHaveLength(length)
    }).pipe(Effect.withClock(clock))
  })
