/** What the polls of a server have found so far, for each list. */
import { isDeepStrictEqual } from "node:util"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as EventList from "@vigil/health-verdict/EventList"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import type { Picture } from "@vigil/health-verdict/Picture"
import type * as StatusList from "@vigil/health-verdict/StatusList"
import * as Subject from "@vigil/health-verdict/Subject"
import type { AnyEvent } from "../connection/AnyEvent.js"

type Events = EventList.EventList

type Statuses = StatusList.StatusList

/** A list that a server polls. */
export interface Polled<L extends Events | Statuses = Events> {
  readonly subject: L["subject"]
  /** Of the subscription. */
  readonly name: string | undefined
  /** Whether the server is for this list. The others, of the tenant and of everyone, do not fail if the credential lacks the right to them. */
  readonly isRequired: boolean
}

/** Why a poll could not read a list. */
interface Failure {
  readonly problem: string
  readonly error: unknown
  /** Whether the next poll would fail, too. */
  readonly isLasting: boolean
}

/** A poll. `at` is in milliseconds since 1970, and `startedAt` the same in monotonic time. */
export interface Poll {
  readonly at: number
  readonly startedAt: number
  readonly duration: number
}

interface Read<L> extends Poll {
  readonly list: L
  /** What was last known of the events that have become invalid. */
  readonly replaced: ReadonlyArray<AnyEvent>
}

export interface List<L extends Events | Statuses = Events> extends Polled<L> {
  /** The last complete list. */
  readonly read: Read<L> | undefined
  /** Of the last poll. */
  readonly failure: Failure | undefined
  /** Of the last poll, successful or not. */
  readonly duration: number
  readonly succeeded: number
  readonly failed: number
}

/** A list of either kind. */
export type AnyList = List | List<Statuses>

/** Durations are in milliseconds. */
export interface State {
  /** When the server started, in monotonic time: the clock of the system may step. */
  readonly startedAt: number
  readonly lists: ReadonlyArray<List>
  /** With `--resources`, one list per subscription. */
  readonly resources: ReadonlyArray<List<Statuses>>
  /** With `--resources`, the resources that the events of now impact. */
  readonly impacted: ImpactedLists.ImpactedLists
  readonly leftOut: Picture["leftOut"]
  /** The last poll that read a required list: the start of its lists, and its own, in milliseconds since 1970. */
  readonly times: Pick<Snapshot, "from" | "now"> | undefined
  /** How often the content has changed. */
  readonly changes: number
  /** Changes with the content, and over restarts. */
  readonly version: string
}

const unread = { read: undefined, failure: undefined, duration: 0, succeeded: 0, failed: 0 }

export const initial = (
  startedAt: number,
  lists: ReadonlyArray<Polled>,
  resources: ReadonlyArray<Polled<Statuses>> = [],
  leftOut: Picture["leftOut"] = [],
): State => ({
  startedAt,
  lists: lists.map((one) => ({ ...one, ...unread })),
  resources: resources.map((one) => ({ ...one, ...unread })),
  impacted: ImpactedLists.none,
  leftOut,
  times: undefined,
  changes: 0,
  version: "",
})

const changed = (state: State, at: number): State => {
  const changes = state.changes + 1
  return { ...state, changes, version: `${at}-${changes}` }
}

/** One that failed keeps what it had. */
const update = <L extends Events | Statuses>(
  one: List<L>,
  poll: Poll,
  list: L,
  { isLasting, replaced = [] }: { readonly isLasting: boolean; readonly replaced?: ReadonlyArray<AnyEvent> },
): List<L> => {
  const [{ duration }, { error, problem }] = [poll, list]
  return problem === undefined
    ? { ...one, duration, read: { ...poll, list, replaced }, failure: undefined, succeeded: one.succeeded + 1 }
    : { ...one, duration, failure: { problem, error, isLasting }, failed: one.failed + 1 }
}

/** The known events whose entries are invalid now. An entry without an ID could be any event. */
const replacedBy = ({ events, invalid }: Events, { read }: List): ReadonlyArray<AnyEvent> => {
  const listed = new Set(events.map(HealthEvent.eventKey))
  const keys = new Set(invalid.map(({ raw }) => HealthEvent.eventKey(raw)))
  return [...(read?.list.events ?? []), ...(read?.replaced ?? [])].filter((event) => {
    const key = HealthEvent.eventKey(event)
    return !listed.has(key) && (keys.has(key) || keys.has(undefined))
  })
}

/** What a list adds to the content. */
const contentOf = ({ failure, read }: List) => [read && { ...read.list, readAt: undefined }, failure?.problem]

/** The state after a poll of events. `from`: the start of the list, in milliseconds since 1970. */
export const next = (
  state: State,
  { from, ...poll }: Poll & { readonly from: number },
  list: Events,
  isLasting = false,
): State => {
  const known = state.lists.find(({ subject }) => subject === list.subject)
  if (known === undefined) return state
  const found = update(known, poll, list, { isLasting, replaced: replacedBy(list, known) })
  const withList = (one: List) => ({ ...state, lists: state.lists.map((other) => (other === known ? one : other)) })
  const one = isOutside(withList(found), found) ? { ...found, failed: known.failed } : found
  const after = withList(one)
  // The time of the content is that of required lists. Those that were polled again beside them change nothing by that.
  if (!known.isRequired) return isDeepStrictEqual(contentOf(known), contentOf(one)) ? after : changed(after, poll.at)
  return changed({ ...after, times: list.problem === undefined ? { from, now: poll.at } : state.times }, poll.at)
}

/** The state after a poll of resources. */
export const nextResources = (state: State, poll: Poll, list: Statuses, isLasting = false): State => {
  const resources = state.resources.map((one) =>
    one.subject === list.subject ? update(one, poll, list, { isLasting }) : one,
  )
  return changed({ ...state, resources }, poll.at)
}

/** The state after the lists of impacted resources of the events of a subscription or the tenant. */
export const nextImpacted = (
  state: State,
  at: number,
  owner: Subject.Subject,
  { events, metadata = state.impacted.metadata }: ImpactedLists.ImpactedLists,
): State => {
  const isOwn = (one: ImpactedLists.ImpactedList) => Subject.key(one.owner) === Subject.key(owner)
  const { impacted } = state
  const own = impacted.events.filter(isOwn)
  if (metadata === impacted.metadata && own.length + events.length === 0) return state
  const others = impacted.events.filter((one) => !isOwn(one))
  return changed({ ...state, impacted: { events: [...others, ...events], metadata } }, at)
}

/** Why the entries of a list may be missing or old. */
export const problemOf = ({ failure, read }: Pick<AnyList, "failure" | "read">): string | undefined =>
  failure?.problem ?? (read === undefined ? "It was not read yet." : undefined)

const lackOf = (list: AnyList) => ({
  readAt: list.read?.at,
  problem: problemOf(list),
  error: list.failure?.error,
})

export const noEvents = { events: [], issues: [], invalid: [], older: 0, isAbsent: false }

export const noStatuses = { statuses: [], invalid: [] }

/** The last complete lists of events, and why they may be missing or old. */
export const events = ({ lists }: Pick<State, "lists">): Picture["events"] =>
  lists.map((list) => ({ ...noEvents, ...list.read?.list, subject: list.subject, ...lackOf(list) }))

/** What is known of all lists. */
export const picture = (state: State): Picture => {
  const { impacted, leftOut, resources, times } = state
  const statuses = resources.map((list) => ({
    ...noStatuses,
    ...list.read?.list,
    subject: list.subject,
    ...lackOf(list),
  }))
  const now = Math.max(times?.now ?? 0, ...resources.map(({ read }) => read?.at ?? 0))
  return { now, events: events(state), statuses, impacted, leftOut }
}

/** Whether a list may not be read, or the service has no such list, and the server is not for it. */
export const isOutside = (state: Pick<State, "lists">, { failure, isRequired, subject }: AnyList): boolean => {
  if (isRequired || failure === undefined) return false
  const all = events(state)
  const list = all.find((one) => one.subject === subject)
  return failure.error === undefined || (list !== undefined && EventList.isOutside(list, all))
}
