/** What the polls of a server have found so far. */
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Maintenance from "./Maintenance.js"

/** Times and durations are in milliseconds. */
export interface State {
  /** The last complete snapshot. */
  readonly snapshot: Snapshot | undefined
  readonly maintenance: Maintenance.Entries
  /** The number of invalid entries of the last complete snapshot. */
  readonly invalid: number
  readonly succeeded: number
  readonly failed: number
  /** Of the last poll. */
  readonly duration: number | undefined
  /** Of the last successful poll. */
  readonly successDuration: number
  /** The start of the last poll, if it failed. */
  readonly failedAt: number | undefined
}

export const initial: State = {
  snapshot: undefined,
  maintenance: Maintenance.none,
  invalid: 0,
  succeeded: 0,
  failed: 0,
  duration: undefined,
  successDuration: 0,
  failedAt: undefined,
}

interface Success extends Pick<Maintenance.Poll, "invalid" | "reach"> {
  readonly snapshot: Snapshot
  readonly duration: number
}

export const succeed = (state: State, { duration, invalid, reach, snapshot }: Success): State => ({
  snapshot,
  maintenance: Maintenance.next(state.maintenance, { ...snapshot, invalid, reach }),
  invalid: invalid.length,
  succeeded: state.succeeded + 1,
  failed: state.failed,
  duration,
  successDuration: duration,
  failedAt: undefined,
})

export const fail = (state: State, failedAt: number, duration: number): State => ({
  ...state,
  failed: state.failed + 1,
  duration,
  failedAt,
})

/** Changes with each poll, and over restarts. */
export const version = ({ failedAt, snapshot }: State): string => String(failedAt ?? snapshot?.now ?? 0)

/** The age of the snapshot. */
export const age = ({ snapshot }: State, now: number): number | undefined => snapshot && Math.max(0, now - snapshot.now)

/** How many polls may be missing before the server is not ready. */
const maxPolls = 3

/** A poll starts `every` after the end of the previous one. */
export const isReady = (state: State, now: number, every: number): boolean => {
  const old = age(state, now)
  return old !== undefined && old <= maxPolls * (every + state.successDuration)
}
