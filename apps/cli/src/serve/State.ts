/** What the polls of a server have found so far. */
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Maintenance from "./Maintenance.js"

/** Durations are in milliseconds. */
export interface State {
  /** The last complete snapshot, without the events that the filters exclude. */
  readonly snapshot: Snapshot | undefined
  /** The start of its poll, in monotonic time: the clock of the system may step. */
  readonly startedAt: number
  readonly maintenance: Maintenance.Entries
  readonly succeeded: number
  readonly failed: number
  /** Of the last poll. */
  readonly duration: number | undefined
  /** Of the last successful poll. */
  readonly successDuration: number
  /** The last poll, if it failed. `at`: its start, in milliseconds since 1970. */
  readonly failure: { readonly at: number; readonly isLasting: boolean } | undefined
}

export const initial: State = {
  snapshot: undefined,
  startedAt: 0,
  maintenance: Maintenance.none,
  succeeded: 0,
  failed: 0,
  duration: undefined,
  successDuration: 0,
  failure: undefined,
}

interface Success extends Pick<Maintenance.Poll, "invalid" | "reach"> {
  readonly snapshot: Snapshot
  readonly startedAt: number
  readonly duration: number
}

export const succeed = (state: State, { duration, invalid, reach, snapshot, startedAt }: Success): State => ({
  snapshot,
  startedAt,
  maintenance: Maintenance.next(state.maintenance, { ...snapshot, invalid, reach }),
  succeeded: state.succeeded + 1,
  failed: state.failed,
  duration,
  successDuration: duration,
  failure: undefined,
})

export const fail = (state: State, failure: State["failure"], duration: number): State => ({
  ...state,
  failed: state.failed + 1,
  duration,
  failure,
})

/** Changes with each poll, and over restarts. */
export const version = ({ failure, snapshot }: State): string => String(failure?.at ?? snapshot?.now ?? 0)

/** The age of the snapshot. `now` is monotonic. */
export const age = ({ snapshot, startedAt }: State, now: number): number | undefined => snapshot && now - startedAt

/** How many polls may be missing before the server is not ready. A poll starts `every` after the end of the previous one. */
const maxPolls = 3

/** Why the server is not ready. */
export const problem = (state: State, now: number, every: number): string | undefined => {
  const old = age(state, now)
  if (old === undefined) return "No poll has succeeded yet. Try again soon."
  if (state.failure?.isLasting === true) return "The service rejects the polls. The log has the error."
  return old > maxPolls * (every + state.successDuration) ? "The last successful poll is too old." : undefined
}
