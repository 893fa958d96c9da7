/** The changes that were delivered to an agent, and the text that carries them: agents return days later, to another process. */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import * as Subject from "@vigil/health-verdict/Subject"
import * as quote from "./quote.js"

/** In the one order of changes: by the time of the update in milliseconds since 1970, then by a number of the event. */
export type Position = readonly [time: number, event: number]

/** Of 35 bits: 5 bytes in a cursor. */
const maxEvent = 2 ** 35 - 1

export const order = ([time, event]: Position, [otherTime, otherEvent]: Position): number =>
  time - otherTime || event - otherEvent

export const isAfter = (one: Position, other: Position): boolean => order(one, other) > 0

export const latest = (one: Position, other: Position): Position => (isAfter(one, other) ? one : other)

export const earliest = (one: Position, other: Position): Position => (isAfter(one, other) ? other : one)

export const before = ([time, event]: Position): Position => (event > 0 ? [time, event - 1] : [time - 1, maxEvent])

/** The number of a text, which is short for a cursor. */
const numberOf = (text: string, count: number): number => parseInt(quote.hash(text).slice(-8), 36) % count

export const eventOf = (key: string): number => numberOf(key, maxEvent + 1)

/** IDs that differ only in case are the same. */
export const sourceOf = (subject: Subject.Subject): number =>
  numberOf(Subject.isSubscription(subject) ? subject.toLowerCase() : `/${Subject.key(subject)}`, 2 ** 28)

/** A subscription, or another source, whose list was not read to its end, or of which some changes are not delivered yet. */
export interface Behind {
  /** Its changes until here are delivered. */
  readonly position: Position
  /** When all of its changes were delivered. */
  readonly since: number
  /** When the first read failed. */
  readonly failedAt: number
}

export interface State {
  /** When all changes were delivered, of the subscriptions that are not behind. */
  readonly since: number
  /** Changes until here are delivered, except those that only subscriptions have which are behind. */
  readonly position: Position
  /** Changes after it that are delivered, in order. Services may publish an update after later ones. */
  readonly delivered: ReadonlyArray<Position>
  /** The first change that is not delivered of the subscriptions that are not behind. */
  readonly pending: Position | undefined
  /** By `sourceOf`. */
  readonly behind: ReadonlyMap<number, Behind>
}

/** Nothing is delivered since this time. */
export const start = (since: number): State => ({
  since: Math.max(1, since),
  position: before([Math.max(1, since), 0]),
  delivered: [],
  pending: undefined,
  behind: new Map(),
})

/** More changes are delivered as of the position. */
export const maxTold = 32

/** More different failures are delivered as of the earliest, so that some changes are delivered again. */
const maxGroups = 12

type Group = readonly [behind: Behind, subscriptions: Array<number>]

const groupsOf = (behind: State["behind"]): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const [subscription, one] of behind) {
    const key = JSON.stringify([one.position, one.since, one.failedAt])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one, [subscription]])
    else group[1].push(subscription)
  }
  const sorted = [...groups.values()].toSorted(([one], [other]) => order(other.position, one.position))
  const rest = sorted.splice(maxGroups - 1)
  const last = rest.at(-1)
  return last === undefined
    ? sorted
    : [
        ...sorted,
        [
          { ...last[0], since: Math.min(...rest.map(([{ since }]) => since)) },
          rest.flatMap(([, subscriptions]) => subscriptions),
        ],
      ]
}

const version = 2

const bytesOf = (value: number): ReadonlyArray<number> =>
  value < 128 ? [value] : [(value % 128) + 128, ...bytesOf(Math.floor(value / 128))]

/** `call`: 7 characters that identify the other arguments. */
export const encode = (call: string, state: State): string => {
  const { behind, pending, position, since, delivered } = state
  const groups = groupsOf(behind)
  const numbers = [
    version,
    since,
    ...position,
    ...(pending ?? [0, 0]),
    delivered.length,
    ...delivered.flatMap(([time, event], index) => [time - (delivered[index - 1] ?? position)[0], event]),
    groups.length,
    ...groups.flatMap(([one, subscriptions]) => [
      ...one.position,
      one.since,
      one.failedAt,
      subscriptions.length,
      ...subscriptions,
    ]),
  ]
  return call + Base64Url.encode(Uint8Array.from(numbers.flatMap(bytesOf)))
}

const numbersOf = (bytes: Uint8Array): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  let [value, unit] = [0, 1]
  for (const byte of bytes) {
    value += (byte % 128) * unit
    unit *= 128
    if (byte >= 128) continue
    numbers.push(value)
    ;[value, unit] = [0, 1]
  }
  return numbers
}

const parse = (numbers: ReadonlyArray<number>): State | undefined => {
  let index = 0
  const next = (): number => numbers[index++] ?? Number.NaN
  const position = (): Position => [next(), next()]
  const times = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: Math.min(next(), numbers.length) }, make)
  if (next() !== version) return undefined
  const since = next()
  const first = position()
  const pending = position()
  let [time] = first
  const delivered = times((): Position => [(time += next()), next()])
  const groups = times(() => {
    const one = { position: position(), since: next(), failedAt: next() }
    return times(() => [next(), one] as const)
  })
  return index === numbers.length
    ? {
        since,
        position: first,
        delivered,
        pending: pending[0] > 0 ? pending : undefined,
        behind: new Map(groups.flat()),
      }
    : undefined
}

/** `undefined` for a text that is no cursor. */
export const decode = (cursor: string): { readonly call: string; readonly state: State } | undefined => {
  const bytes = Base64Url.decode(cursor.slice(7))
  const state = Result.isSuccess(bytes) ? parse(numbersOf(bytes.success)) : undefined
  return state && { call: cursor.slice(0, 7), state }
}
