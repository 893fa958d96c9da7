/** Histories of a delivery: changes, failures of sinks, and restarts at any point. */
import { Delivery, type Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { expect } from "vitest"
import { memory, type Outcome, recorder } from "./deliveries.js"
import { after, changes, move, type Move, type Watched, type World } from "./deliveryWorld.js"
import * as manualClock from "./manualClock.js"
import { routesOf } from "./notifications.js"

const minute = 60_000
const hour = 60 * minute

const outcomes: ReadonlyArray<Outcome> = ["accepts", "accepts", "unavailable", "busy", "hangs", "refuses", "dies"]
const names = ["plain", "quiet", "grouped"] as const

/** A poll after some moves, a sink that changes its mode, or time that passes. */
type Step =
  | { readonly moves: ReadonlyArray<Move> }
  | { readonly sink: number; readonly outcome: Outcome }
  | { readonly pass: number }

/** A run of the process. It ends after its steps, or is killed before or after an operation: a write, or a delivery to a sink. */
interface Session {
  readonly steps: ReadonlyArray<Step>
  readonly kill: { readonly operation: number; readonly isApplied: boolean } | undefined
}

export type History = ReadonlyArray<Session>

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.record({ moves: FastCheck.array(move, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 2,
    arbitrary: FastCheck.record({ sink: FastCheck.nat(2), outcome: FastCheck.constantFrom(...outcomes) }),
  },
  { weight: 2, arbitrary: FastCheck.record({ pass: FastCheck.constantFrom(0, 500, minute, 10 * minute, 2 * hour) }) },
)

export const history: FastCheck.Arbitrary<History> = FastCheck.array(
  FastCheck.record({
    steps: FastCheck.array(step, { maxLength: 6 }),
    kill: FastCheck.option(FastCheck.record({ operation: FastCheck.nat(30), isApplied: FastCheck.boolean() }), {
      nil: undefined,
      freq: 3,
    }),
  }),
  { minLength: 1, maxLength: 3 },
)

const slack = { type: "slack", url: { env: "A" } }

const routes = routesOf({
  sinks: { plain: slack, quiet: slack, grouped: slack },
  routes: [
    { to: "plain" },
    { to: "quiet", quietHours: { from: "20:00", to: "08:00", timeZone: "UTC" } },
    { to: "grouped", groupFor: "5 minutes" },
  ],
})

/** A notification that a sink has accepted, and the session. */
export interface Received {
  readonly session: number
  readonly notification: Notification.Notification
}

/** What the sinks have at the end, and the world. */
export interface Result {
  readonly world: World
  /** The last notification that the watch emitted, by event. */
  readonly emitted: ReadonlyMap<string, Notification.Notification>
  readonly sinks: ReadonlyArray<{
    readonly received: ReadonlyArray<Received>
    readonly deadLetters: ReadonlyArray<Notification.Notification>
  }>
}

export const run = (history: History): Effect.Effect<Result> =>
  Effect.gen(function* () {
    const { advance, clock } = yield* manualClock.make(Date.UTC(2026, 2, 10, 18))
    const modes: Array<Outcome> = names.map(() => "accepts")
    const received = names.map((): Array<Received> => [])
    const deadLetters = names.map(() => new Map<string, Notification.Notification>())
    const emitted = new Map<string, Notification.Notification>()
    const watched: Watched = { delivered: new Map(), pending: new Map() }
    let world: World = new Map()
    let version = 0
    let session = 0
    let operations = 0
    let kill: Session["kill"]
    let isDead = false

    /** Counts an operation, and returns whether it takes effect. */
    const operate = (): boolean => {
      if (isDead) return false
      operations += 1
      isDead = operations === kill?.operation
      return !isDead || kill?.isApplied === true
    }
    const { store } = memory(() => Effect.sync(operate))
    const sinks = names.map((name, index) => {
      const { sink } = recorder(name, () => modes[index] ?? "accepts")
      return {
        name,
        deliver: (notification: Notification.Notification) =>
          Effect.suspend(() => {
            if (!operate()) return Effect.never
            const delivering = Effect.map(sink.deliver(notification), () => {
              received[index]?.push({ session, notification })
            })
            return isDead ? Effect.zipRight(Effect.exit(delivering), Effect.never) : delivering
          }),
      }
    })

    const poll = ({ deliver }: Delivery.Service) =>
      Effect.gen(function* () {
        const keyed = changes(watched, world, (version += 1))
        for (const change of keyed) {
          const { entry, note } = change
          watched.pending.set(note.key, change)
          emitted.set(note.key, note)
          yield* deliver(note)
          if (isDead) return
          // The next pull marks the change as delivered. The last one stays pending if the process stops before.
          watched.pending.delete(note.key)
          if (entry === null) watched.delivered.delete(note.key)
          else watched.delivered.set(note.key, entry)
        }
      })

    const runSession = ({ steps, kill: planned }: Session) =>
      Effect.gen(function* () {
        session += 1
        operations = 0
        isDead = false
        kill = planned
        const scope = yield* Scope.make()
        const delivery = yield* Scope.extend(Delivery.make({ sinks, routes, store, concurrency: 2 }), scope)
        for (const step of steps) {
          if (isDead) break
          if ("pass" in step) yield* advance(step.pass)
          else if ("moves" in step) {
            for (const each of step.moves) world = after(world, each, (version += 1))
            yield* poll(delivery)
          } else modes[step.sink] = step.outcome
        }
        if (!isDead) {
          for (const { notification, sink } of yield* delivery.deadLetters)
            deadLetters[names.findIndex((name) => name === sink)]?.set(notification.id, notification)
          // Nothing waits twice.
          for (const { pending } of yield* delivery.status) expect(pending).toBeLessThanOrEqual(3)
        }
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* advance(10_000)
        yield* Fiber.join(closing)
      })

    yield* Effect.gen(function* () {
      for (const each of history) yield* runSession(each)
      modes.fill("accepts")
      yield* runSession({ steps: [{ moves: [] }, { pass: 24 * hour }, { moves: [] }, { pass: hour }], kill: undefined })
    }).pipe(Effect.withClock(clock), Effect.orDie)
    return {
      world,
      emitted,
      sinks: received.map((received, index) => ({ received, deadLetters: [...(deadLetters[index]?.values() ?? [])] })),
    }
  })
