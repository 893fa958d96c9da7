/** What the polls of a server have found so far, for each list. */
import type { Snapshot as HealthSnapshot } from "@vigil/health-report/Snapshot"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as KnownSnapshot from "../lists/KnownSnapshot.js"
import * as Known from "../lists/Known.js"
import type * as Lists from "../lists/Lists.js"
import * as ResourceStatuses from "../lists/ResourceStatuses.js"
import * as Maintenance from "./Maintenance.js"

/** A complete list, without the events that the filters exclude. */
interface Events extends Pick<KnownSnapshot.KnownEvents, "events" | "older"> {
  /** The raw values of invalid entries. */
  readonly invalid: ReadonlyArray<unknown>
  /** What was last known of the events that have become invalid. */
  readonly replaced?: ReadonlyArray<AnyEvent> | undefined
}

/** The current status of each resource of a subscription. */
interface Statuses {
  readonly statuses: ReadonlyArray<AvailabilityStatus>
  readonly invalid: ReadonlyArray<unknown>
}

export interface Failure {
  readonly problem: string
  /** Whether the next poll would fail, too. */
  readonly isLasting: boolean
}

/** A list of a subscription, a resource or the tenant. */
export interface List<Read extends object = Events> {
  readonly list: Lists.Subject
  /** The last complete list. */
  readonly read: (Read & Omit<Poll, "from">) | undefined
  /** Of the last poll. */
  readonly failure: Failure | undefined
  /** Of the last poll, successful or not. */
  readonly duration: number
  readonly succeeded: number
  readonly failed: number
}

/** Durations are in milliseconds. */
export interface State {
  /** When the server started, in monotonic time: the clock of the system may step. */
  readonly startedAt: number
  /** Whether the lists have only the events that filters select. */
  readonly isFiltered: boolean
  readonly lists: ReadonlyArray<List>
  /** With `--resources`, one list per subscription. */
  readonly resources: ReadonlyArray<List<Statuses>>
  /** With `--resources`, the resources that the events of now impact. */
  readonly impacted: ImpactedLists.ImpactedLists
  /** The last poll that read a list: the start of its lists, and its own, in milliseconds since 1970. */
  readonly times: Pick<HealthSnapshot, "from" | "now"> | undefined
  /** Changes with each list that is polled, and over restarts. */
  readonly version: string
}

const unread = (list: Lists.Subject) => ({
  list,
  read: undefined,
  failure: undefined,
  duration: 0,
  succeeded: 0,
  failed: 0,
})

export const initial = (
  startedAt: number,
  lists: ReadonlyArray<Lists.Subject>,
  resources: ReadonlyArray<Lists.Subject> = [],
): State => ({
  startedAt,
  isFiltered: false,
  lists: lists.map(unread),
  resources: resources.map(unread),
  impacted: ImpactedLists.none,
  times: undefined,
  version: "",
})

/** A poll. `at` and `from`, the start of the lists, are in milliseconds since 1970. `startedAt`: the same as `at` in monotonic time. */
interface Poll {
  readonly at: number
  readonly startedAt: number
  readonly from: number
  readonly duration: number
}

/** What a poll found in a list. */
interface Outcome<Read extends object> {
  readonly list: Pick<Lists.Subject, "id">
  readonly result: Failure | Read
}

/** One that failed keeps what it had. */
const update = <Read extends object>(
  lists: ReadonlyArray<List<Read>>,
  { at, duration, startedAt }: Omit<Poll, "from">,
  { list, result }: Outcome<Read>,
): ReadonlyArray<List<Read>> =>
  lists.map((one) => {
    if (one.list.id !== list.id) return one
    return "problem" in result
      ? { ...one, duration, failure: result, failed: one.failed + 1 }
      : {
          ...one,
          duration,
          read: { ...result, at, duration, startedAt },
          failure: undefined,
          succeeded: one.succeeded + 1,
        }
  })

const versionOf = ({ lists, resources }: Pick<State, "lists" | "resources">, at: number): string =>
  `${at}-${[...lists, ...resources].reduce((sum, { failed, succeeded }) => sum + failed + succeeded, 0)}`

/** The known events whose entries are invalid now. An entry without an ID could be any event. */
const replacedBy = ({ events, invalid }: Events, known: Events | undefined): ReadonlyArray<AnyEvent> => {
  const [listed, keys] = [new Set(events.map(HealthEvent.eventKey)), new Set(invalid.map(HealthEvent.eventKey))]
  return [...(known?.events ?? []), ...(known?.replaced ?? [])].filter((event) => {
    const key = HealthEvent.eventKey(event)
    return !listed.has(key) && (keys.has(key) || keys.has(undefined))
  })
}

/** The state after a list of events of a poll. */
export const next = (state: State, poll: Poll, { list, result }: Outcome<Events>): State => {
  const { at, from } = poll
  const known = state.lists.find((one) => one.list.id === list.id)?.read
  const read = "problem" in result ? result : { ...result, replaced: replacedBy(result, known) }
  const lists = update(state.lists, poll, { list, result: read })
  const times = "problem" in result ? state.times : { from, now: at }
  return { ...state, lists, times, version: versionOf({ ...state, lists }, at) }
}

/** The state after a list of resources of a poll. */
export const nextResources = (state: State, poll: Omit<Poll, "from">, outcome: Outcome<Statuses>): State => {
  const resources = update(state.resources, poll, outcome)
  return { ...state, resources, version: versionOf({ ...state, resources }, poll.at) }
}

/** The state after the lists of impacted resources of the events of a subscription. */
export const nextImpacted = (
  state: State,
  owner: string,
  { events, metadata = state.impacted.metadata }: ImpactedLists.ImpactedLists,
): State => {
  const others = state.impacted.events.filter((one) => one.owner !== owner)
  return { ...state, impacted: { events: [...others, ...events], metadata }, version: `${state.version}-impacted` }
}

export const isPolled = ({ failed, succeeded }: Pick<List, "failed" | "succeeded">): boolean => failed + succeeded > 0

/** Why the entries of a list may be missing or old. */
export const problemOf = ({
  failure,
  read,
}: { readonly [K in "failure" | "read"]: List<object>[K] }): string | undefined =>
  failure?.problem ?? (read === undefined ? "It was not read yet." : undefined)

const known = (list: List<Events> | List<Statuses>) => ({
  list: list.list,
  invalid: list.read?.invalid.length ?? 0,
  problem: problemOf(list),
  readAt: list.read?.at,
})

/** The entries of the last complete lists. `undefined` until a list of events is complete. */
export const snapshot = ({ impacted, isFiltered, lists, resources, times }: State): HealthSnapshot | undefined =>
  times && {
    ...KnownSnapshot.make(
      lists.map((list) => ({ ...known(list), events: list.read?.events ?? [], older: list.read?.older ?? 0 })),
      { ...times, isFiltered },
    ),
    resources:
      resources.length === 0
        ? undefined
        : ResourceStatuses.make(
            resources.map((list) => ({ ...known(list), statuses: list.read?.statuses ?? [] })),
            impacted,
          ),
  }

/** The planned maintenance of the last complete lists. An event that has become invalid keeps its own. */
export const maintenance = ({ events }: Pick<HealthSnapshot, "events">, { lists }: State): Maintenance.Entries =>
  Maintenance.fromEvents([...lists.flatMap(({ read }) => read?.replaced ?? []), ...events])

/** The time since the start of the last successful poll of a list, or since the start of the server. `now` is monotonic. */
export const age = (state: State, { read }: Pick<List<object>, "read">, now: number): number =>
  now - (read?.startedAt ?? state.startedAt)

/** The age of the oldest events. */
export const oldest = (state: State, now: number): number =>
  Math.max(0, ...state.lists.filter(({ read }) => read !== undefined).map((list) => age(state, list, now)))

/** How many polls may be missing before a list is too old. A poll starts `every` after the end of the previous one. */
const maxPolls = 3

/** The age from which a list is too old. */
export const maxAge = ({ lists }: State, every: number): number =>
  maxPolls * (every + Math.max(...lists.map(({ read }) => read?.duration ?? 0)))

/** The longest of the last polls. */
export const slowest = ({ lists }: State): number => Math.max(...lists.map(({ duration }) => duration))

/** Whether a list was read, so that the paths with events have a content. */
export const isReady = ({ times }: State): boolean => times !== undefined

/** Why no list is recent. */
export const problem = (state: State, now: number, every: number): string | undefined => {
  if (!isReady(state)) return "No poll has succeeded yet. Try again soon."
  const lists = state.lists.filter(({ failure, read }) => read !== undefined && failure?.isLasting !== true)
  if (lists.length === 0) return "The service rejects the polls. The log has the error."
  const isRecent = lists.some((list) => age(state, list, now) <= maxAge(state, every))
  return isRecent ? undefined : "The last successful poll is too old."
}

/** The lists that the last poll could not read, without names: `/readyz` requires no token. */
export const failed = ({ lists, resources }: State): ReadonlyArray<string> =>
  [...lists, ...resources].flatMap(({ failure, list }) =>
    failure === undefined ? [] : [Known.source({ ...list, title: list.id })],
  )
