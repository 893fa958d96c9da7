/** How old what a server has read is, and whether it is ready. Times are monotonic, in milliseconds. */
import * as Subject from "@vigil/health-verdict/Subject"
import * as State from "./State.js"

const required = ({ lists }: Pick<State.State, "lists">): ReadonlyArray<State.List> =>
  lists.filter(({ isRequired }) => isRequired)

export const isPolled = ({ failed, succeeded }: State.AnyList): boolean => failed + succeeded > 0

/** The time since the start of the last successful poll of a list, or since the start of the server. */
export const age = (state: State.State, { read }: Pick<State.AnyList, "read">, now: number): number =>
  now - (read?.startedAt ?? state.startedAt)

/** The age of the oldest events. */
export const oldest = (state: State.State, now: number): number =>
  Math.max(0, ...state.lists.filter(({ read }) => read !== undefined).map((list) => age(state, list, now)))

/** How many polls may be missing before a list is too old. A poll starts `every` after the end of the previous one. */
const maxPolls = 3

/** The age from which a list is too old. */
export const maxAge = ({ lists }: State.State, every: number): number =>
  maxPolls * (every + Math.max(...lists.map(({ read }) => read?.duration ?? 0)))

/** The longest of the last polls. */
export const slowest = ({ lists }: State.State): number => Math.max(...lists.map(({ duration }) => duration))

/** Whether a list was read, so that the paths with events have a content. */
export const isReady = ({ times }: State.State): boolean => times !== undefined

/** Why no list is recent. */
export const problem = (state: State.State, now: number, every: number): string | undefined => {
  if (!isReady(state)) return "No poll has succeeded yet. Try again soon."
  const lists = required(state).filter(({ failure, read }) => read !== undefined && failure?.isLasting !== true)
  if (lists.length === 0) return "The service rejects the polls. The log has the error."
  const isRecent = lists.some((list) => age(state, list, now) <= maxAge(state, every))
  return isRecent ? undefined : "The last successful poll is too old."
}

const sourceOf = (subject: Subject.Subject): string => {
  if (Subject.isSubscription(subject)) return `Subscription ${subject}`
  return subject._tag === "Resource" ? `Resource ${subject.id}` : Subject.label(subject)
}

/** The lists that the last poll could not read, without names: `/readyz` requires no token. */
export const failed = (state: State.State): ReadonlyArray<string> => {
  const isFailed = (list: State.AnyList) => list.failure !== undefined && !State.isOutside(state, list)
  return [
    ...state.lists.filter(isFailed).map(({ subject }) => sourceOf(subject)),
    ...state.resources.filter(isFailed).map(({ subject }) => `Resources of ${sourceOf(subject)}`),
  ]
}
