/** What the polls of a server have found so far, for each list. */
import type { Snapshot as HealthSnapshot } from "@vigil/health-report/Snapshot"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Lists from "../events/shared/Lists.js"
import * as Snapshot from "../events/shared/Snapshot.js"
import * as Maintenance from "./Maintenance.js"

/** A complete list, without the events that the filters exclude. */
interface Read {
  readonly events: ReadonlyArray<AnyEvent>
  /** The raw values of invalid entries. */
  readonly invalid: ReadonlyArray<unknown>
}

interface Failure {
  readonly problem: string
  /** Whether the next poll would fail, too. */
  readonly isLasting: boolean
}

/** A subscription, a resource or the tenant. */
export interface List {
  readonly list: Lists.Subject
  /** The last complete list. `at`: the start of its poll, in milliseconds since 1970. `startedAt`: the same in monotonic time. */
  readonly read: (Read & { readonly at: number; readonly startedAt: number }) | undefined
  /** Of the last poll. */
  readonly failure: Failure | undefined
  readonly succeeded: number
  readonly failed: number
}

/** Durations are in milliseconds. */
export interface State {
  /** When the server started, in monotonic time: the clock of the system may step. */
  readonly startedAt: number
  readonly lists: ReadonlyArray<List>
  /** The last poll that read a list: the start of its lists, and its own, in milliseconds since 1970. */
  readonly times: Pick<HealthSnapshot, "from" | "now"> | undefined
  readonly maintenance: Maintenance.Entries
  /** Changes with each list that is polled, and over restarts. */
  readonly version: string
  /** Of the last poll. */
  readonly duration: number | undefined
  /** Of the last poll that read a list. */
  readonly successDuration: number
}

export const initial = (startedAt: number, lists: ReadonlyArray<Lists.Subject>): State => ({
  startedAt,
  lists: lists.map((list) => ({ list, read: undefined, failure: undefined, succeeded: 0, failed: 0 })),
  times: undefined,
  maintenance: Maintenance.none,
  version: "",
  duration: undefined,
  successDuration: 0,
})

/** A poll. `at` and `from`, the start of the lists, are in milliseconds since 1970. `startedAt`: the same as `at` in monotonic time. */
interface Poll {
  readonly at: number
  readonly startedAt: number
  readonly from: number
}

/** What a poll found in a list. */
interface Outcome {
  readonly list: Pick<Lists.Subject, "id">
  readonly result: Failure | Read
}

/** The state after a list of a poll. One that failed keeps its last events. */
export const next = (state: State, { at, from, startedAt }: Poll, { list, result }: Outcome): State => {
  const lists = state.lists.map((one): List => {
    if (one.list.id !== list.id) return one
    return "problem" in result
      ? { ...one, failure: result, failed: one.failed + 1 }
      : { ...one, read: { ...result, at, startedAt }, failure: undefined, succeeded: one.succeeded + 1 }
  })
  const polls = lists.reduce((sum, { failed, succeeded }) => sum + failed + succeeded, 0)
  const times = "problem" in result ? state.times : { from, now: at }
  return { ...state, lists, times, version: `${at}-${polls}` }
}

export const isPolled = ({ failed, succeeded }: List): boolean => failed + succeeded > 0

/** Why the events of a list may be missing or old. */
export const problemOf = ({ failure, read }: List): string | undefined =>
  failure?.problem ?? (read === undefined ? "It was not read yet." : undefined)

/** The events of the last complete lists. `undefined` until a list is complete. */
export const snapshot = ({ lists, times }: State): HealthSnapshot | undefined =>
  times &&
  Snapshot.make(
    lists.map((list) => ({
      list: list.list,
      events: list.read?.events ?? [],
      invalid: list.read?.invalid.length ?? 0,
      problem: problemOf(list),
      readAt: list.read?.at,
    })),
    times,
  )

/** The state after all lists of a poll. Events last updated before `reach` are no longer listed. */
export const complete = (
  state: State,
  { at, duration, reach }: Pick<Poll, "at"> & { readonly duration: number; readonly reach: number },
): State => {
  const found = snapshot(state)
  if (found?.now !== at) return { ...state, duration }
  const invalid = state.lists.flatMap(({ read }) => read?.invalid ?? [])
  const maintenance = Maintenance.next(state.maintenance, { ...found, invalid, reach })
  return { ...state, maintenance, duration, successDuration: duration }
}

/** The time since the start of the last successful poll of a list, or since the start of the server. `now` is monotonic. */
export const age = (state: State, { read }: List, now: number): number => now - (read?.startedAt ?? state.startedAt)

/** The age of the oldest events. */
export const oldest = (state: State, now: number): number =>
  Math.max(0, ...state.lists.filter(({ read }) => read !== undefined).map((list) => age(state, list, now)))

/** How many polls may be missing before a list is too old. A poll starts `every` after the end of the previous one. */
const maxPolls = 3

/** Why the server is not ready: no list is recent. */
export const problem = (state: State, now: number, every: number): string | undefined => {
  const lists = state.lists.filter(({ read }) => read !== undefined)
  if (lists.length === 0) return "No poll has succeeded yet. Try again soon."
  const accepted = lists.filter(({ failure }) => failure?.isLasting !== true)
  if (accepted.length === 0) return "The service rejects the polls. The log has the error."
  const limit = maxPolls * (every + state.successDuration)
  return accepted.some((list) => age(state, list, now) <= limit) ? undefined : "The last successful poll is too old."
}

/** The lists that the last poll could not read, without names: `/readyz` requires no token. */
export const failed = ({ lists }: State): ReadonlyArray<string> =>
  lists.flatMap(({ failure, list }) => (failure === undefined ? [] : [Lists.source({ ...list, title: list.id })]))
