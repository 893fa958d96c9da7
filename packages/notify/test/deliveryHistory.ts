/** Histories of a delivery: changes, failures of sinks, and restarts at any point. */
import * as Clock from "effect/Clock"
import { Delivery, Notification, type Sink } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "fast-check"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { expect } from "vitest"
import { memory, type Outcome, recorder } from "./deliveries.js"
import {
  applyMove,
  changes,
  move,
  type Move,
  type Subscription,
  subscription,
  subscriptions,
  type WatchState,
  type World,
} from "./deliveryWorld.js"
import * as manualClock from "./manualClock.js"
import { routesOf } from "./notifications.js"

const minute = 60_000
const hour = 60 * minute

const outcomes: ReadonlyArray<Outcome> = ["accepts", "accepts", "unavailable", "busy", "hangs", "refuses", "dies"]
const names = ["plain", "quiet", "grouped", "second"] as const

/** Whether the target of this sink loses events. */
const isRepeating = (name: string) => name === "plain"

/** The subscriptions whose notifications a sink gets. */
const subscriptionsOf = (name: string): ReadonlyArray<Subscription> => (name === "second" ? ["s2"] : subscriptions)

interface Polls {
  /** The subscriptions whose watches poll. */
  readonly subscriptions: ReadonlyArray<Subscription>
  /** Whether they deliver at the same time, or one after the other. */
  readonly isConcurrent: boolean
}

/** Polls after some moves, a sink that changes its mode, or time that passes. */
type Step =
  | { readonly moves: ReadonlyArray<Move>; readonly polls: Polls }
  | { readonly sink: number; readonly outcome: Outcome }
  | { readonly pass: number }

/** A run of the process. It ends after its steps, or is killed before or after an operation: a write, or a delivery to a sink. */
interface Session {
  readonly steps: ReadonlyArray<Step>
  readonly kill: { readonly operation: number; readonly isApplied: boolean } | undefined
}

export type History = ReadonlyArray<Session>

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      moves: FastCheck.array(move, { minLength: 1, maxLength: 4 }),
      polls: FastCheck.record({
        subscriptions: FastCheck.uniqueArray(subscription, { minLength: 1 }),
        isConcurrent: FastCheck.boolean(),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      sink: FastCheck.nat(names.length - 1),
      outcome: FastCheck.constantFrom(...outcomes),
    }),
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
  sinks: { plain: slack, quiet: slack, grouped: slack, second: slack },
  routes: [
    { to: "plain" },
    { to: "quiet", quietHours: { from: "20:00", to: "08:00", timeZone: "UTC" } },
    { to: "grouped", groupFor: "5 minutes" },
    { to: "second", match: { subscription: "s2" } },
  ],
})

/** A notification that a watch has emitted or a sink has accepted, and the session. */
export interface SessionNotification {
  readonly session: number
  readonly notification: Notification.Notification
}

/**
 * The notifications of a summary, which describes at most five events. The title of a notification is its version. Of a version that several watches
 * emitted, it is the last one. A summary also reopens events whose end the sink may have missed. `emitted`: before the sink got it.
 */
const expand = (
  sent: Notification.Notification,
  emitted: ReadonlyArray<SessionNotification>,
  earlier: ReadonlyArray<SessionNotification>,
): ReadonlyArray<Notification.Notification> =>
  sent.state !== "summary"
    ? [sent]
    : Array.from(sent.text.matchAll(/: (\d+) \((\w+),/g), ([, title, trackingId]) => {
        const notifications = emitted.map(({ notification }) => notification)
        const found = notifications.findLast(
          (one) => one.title === title && one.trackingId === trackingId && !Notification.isClosing(one.state),
        )
        const isKnown = earlier.some(({ notification }) => notification.trackingId === trackingId)
        return { ...(found ?? sent), state: isKnown ? "reopened" : "opened" }
      })

/** The final states of the world and of the sinks. */
export interface Result {
  readonly world: World
  /** The notifications of all watches, in their order. */
  readonly emitted: ReadonlyArray<SessionNotification>
  readonly sinks: ReadonlyArray<{
    /** Whether the sink gets the last notification of an open event again. */
    readonly isRepeating: boolean
    /** The subscriptions whose notifications the sink gets. */
    readonly subscriptions: ReadonlyArray<Subscription>
    readonly received: ReadonlyArray<SessionNotification>
    readonly deadLetters: ReadonlyArray<Notification.Notification>
  }>
}

export const run = (history: History): Effect.Effect<Result> =>
  Effect.gen(function* () {
    const { advance, clock } = yield* manualClock.make(Date.UTC(2026, 2, 10, 18))
    const modes: Array<Outcome> = names.map(() => "accepts")
    const received = names.map((): Array<SessionNotification> => [])
    const deadLetters = names.map(() => new Map<string, Notification.Notification>())
    const emitted: Array<SessionNotification> = []
    const watches = new Map(
      subscriptions.map((subscription): [Subscription, WatchState] => [
        subscription,
        { subscription, delivered: new Map(), pending: new Map() },
      ]),
    )
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
    // Other fibers run during a write.
    const { store } = memory(() => Effect.andThen(Effect.yieldNow, Effect.sync(operate)), "")
    const emittedFor = (name: string) =>
      emitted.filter(({ notification }) => subscriptionsOf(name).some((each) => each === notification.subscription))
    const sinks = names.map((name, index): Sink.Sink => {
      const { sink } = recorder(name, () => modes[index] ?? "accepts")
      return {
        name,
        repeatEvery: isRepeating(name) ? "2 hours" : undefined,
        deliver: (notification: Notification.Notification) =>
          Effect.suspend(() => {
            if (!operate()) return Effect.never
            const before = emittedFor(name)
            const delivering = Effect.map(sink.deliver(notification), () => {
              const all = received[index] ?? []
              for (const one of expand(notification, before, [...all])) all.push({ session, notification: one })
            })
            return isDead ? Effect.andThen(Effect.exit(delivering), Effect.never) : delivering
          }),
      }
    })

    const poll = ({ deliver }: Delivery.Service, watch: WatchState) =>
      Effect.gen(function* () {
        for (const change of changes(watch, world)) {
          const { entry, note } = change
          watch.pending.set(note.key, change)
          emitted.push({ session, notification: note })
          yield* deliver(note)
          if (isDead) return
          // The next pull marks the change as delivered. The last one stays pending if the process stops before.
          watch.pending.delete(note.key)
          if (entry === null) watch.delivered.delete(note.key)
          else watch.delivered.set(note.key, entry)
        }
      })

    const pollAll = (delivery: Delivery.Service, { isConcurrent, subscriptions }: Polls) =>
      Effect.forEach(
        subscriptions.flatMap((subscription) => watches.get(subscription) ?? []),
        (watch) => Effect.suspend(() => (isDead ? Effect.void : poll(delivery, watch))),
        { concurrency: isConcurrent ? "unbounded" : 1, discard: true },
      )

    const runSession = ({ steps, kill: planned }: Session) =>
      Effect.gen(function* () {
        session += 1
        operations = 0
        isDead = false
        kill = planned
        const scope = yield* Scope.make()
        const delivery = yield* Scope.provide(Delivery.make({ sinks, routes, store, concurrency: 2 }), scope)
        for (const step of steps) {
          if (isDead) break
          if ("pass" in step) yield* advance(step.pass)
          else if ("moves" in step) {
            for (const each of step.moves) world = applyMove(world, each, (version += 1))
            yield* pollAll(delivery, step.polls)
          } else modes[step.sink] = step.outcome
        }
        if (!isDead) {
          for (const { notification, sink } of yield* delivery.deadLetters)
            for (const one of expand(notification, emittedFor(sink), []))
              deadLetters[names.findIndex((name) => name === sink)]?.set(one.id, one)
          // Each of the three events waits at most once.
          for (const { pending } of yield* delivery.status) expect(pending).toBeLessThanOrEqual(3)
        }
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* advance(10_000)
        yield* Fiber.join(closing)
      })

    yield* Effect.gen(function* () {
      for (const each of history) yield* runSession(each)
      modes.fill("accepts")
      const lastPolls = { moves: [], polls: { subscriptions, isConcurrent: false } }
      yield* runSession({ steps: [lastPolls, { pass: 24 * hour }, lastPolls, { pass: hour }], kill: undefined })
    }).pipe(Effect.provideService(Clock.Clock, clock), Effect.orDie)
    return {
      world,
      emitted,
      sinks: received.map((received, index) => ({
        isRepeating: isRepeating(names[index] ?? ""),
        subscriptions: subscriptionsOf(names[index] ?? ""),
        received,
        deadLetters: [...(deadLetters[index]?.values() ?? [])],
      })),
    }
  })
