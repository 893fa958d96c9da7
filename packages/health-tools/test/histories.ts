/** Random histories of a service for `health_changes`: updates of events, lists that fail, and calls of an agent. */
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"

/** In milliseconds since 1970: an hour ago. Events are updated at or after it. */
export const epoch = Math.floor(Date.now() / 1000 - 3600) * 1000

type Step =
  /** Updates `count` events from `first` on, at one time. */
  | { readonly _tag: "Update"; readonly first: number; readonly count: number; readonly seconds: number }
  /** The agent calls, once or until nothing remains. The bits are the lists that fail. */
  | { readonly _tag: "Call"; readonly failing: number; readonly isWhole: boolean }

export interface History {
  readonly subscriptions: number
  readonly budget: number
  readonly steps: ReadonlyArray<Step>
}

const bits = FastCheck.nat(31)

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("Update" as const),
    first: FastCheck.nat(60),
    count: FastCheck.oneof(FastCheck.integer({ min: 1, max: 4 }), FastCheck.integer({ min: 20, max: 90 })),
    seconds: FastCheck.oneof(FastCheck.constant(0), FastCheck.nat(3)),
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Call" as const),
    failing: FastCheck.oneof(FastCheck.constant(0), bits),
    isWhole: FastCheck.boolean(),
  }),
)

export const history: FastCheck.Arbitrary<History> = FastCheck.record({
  subscriptions: FastCheck.integer({ min: 1, max: 5 }),
  budget: FastCheck.integer({ min: 2000, max: 4000 }),
  steps: FastCheck.array(step, { minLength: 3, maxLength: 16 }),
})

/** An update of an event: its number, and its time in seconds after `epoch`. */
export type Update = readonly [event: number, seconds: number]

export interface Answer {
  readonly delivered: ReadonlyArray<Update>
  readonly remaining: number | undefined
  readonly cursor: string
}

/** What the lists show: the updates by subscription. */
export type Lists = ReadonlyArray<ReadonlyMap<number, number>>

/** The subscriptions of an event, as bits: at least one. */
const sourcesOf = (event: number, subscriptions: number): number =>
  ((event * 2_654_435_761) % (2 ** subscriptions - 1)) + 1

export const has = (set: number, bit: number): boolean => (set & (1 << bit)) !== 0

/** Plays a history, and returns what was delivered, and what had to be. `call` answers from the lists that do not fail. */
export const play = Effect.fnUntraced(function* (
  { steps, subscriptions }: History,
  call: (lists: Lists, failing: number, cursor: string | undefined) => Effect.Effect<Answer>,
) {
  const lists = Array.from({ length: subscriptions }, () => new Map<number, number>())
  const latest = new Map<number, number>()
  const delivered: Array<Update> = []
  let [now, cursor] = [0, undefined as string | undefined]
  const ask = Effect.fnUntraced(function* (failing: number) {
    const answer = yield* call(lists, failing, cursor)
    now += 1
    cursor = answer.cursor
    delivered.push(...answer.delivered)
    return answer.remaining ?? 0
  })
  /** A whole answer ends: each part of it tells something. */
  const askAll = Effect.fnUntraced(function* (failing: number) {
    let left = yield* ask(failing)
    while (left > 0) {
      const next = yield* ask(failing)
      if (next >= left) return yield* Effect.die(`${next} of ${left} changes remain.`)
      left = next
    }
  })
  for (const one of steps) {
    if (one._tag === "Call") yield* one.isWhole ? askAll(one.failing) : Effect.asVoid(ask(one.failing))
    else {
      now += one.seconds
      for (let event = one.first; event < one.first + one.count; event++) {
        latest.set(event, now)
        for (const [bit, list] of lists.entries()) if (has(sourcesOf(event, subscriptions), bit)) list.set(event, now)
      }
    }
  }
  yield* askAll(0)
  return { delivered, expected: [...latest] }
})
