/** What is known of lists that were read, and what could not be read. */
import type * as Listing from "@vigil/health-client/Listing"
import type { Resources } from "@vigil/health-report/Snapshot"
import type { FailedList } from "@vigil/health-verdict/Evidence"
import * as Failure from "../command/Failure.js"
import type * as Lists from "./Lists.js"

/** What was read of a list: all of it, or what came before the error. */
export interface Outcome {
  readonly list: Lists.Subject
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
  readonly error: Failure.Failure | undefined
}

/** What is known of a list. `problem`: why it could not be read. */
export interface Known extends Pick<FailedList, "readAt"> {
  readonly list: Lists.Subject
  readonly invalid: number
  readonly problem: string | undefined
}

export const fromOutcome = ({ error, invalid, list }: Outcome): Known => ({
  list,
  invalid: invalid.length,
  problem: error && Failure.plain(error),
  readAt: undefined,
})

/** With the kind: `Subscription x`. */
export const source = ({ kind, title }: Pick<Lists.Subject, "kind" | "title">): string => `${kind} ${title}`.trim()

/** What could not be read. */
export const gaps = (all: ReadonlyArray<Known>): Pick<Resources, "failed" | "invalid"> => ({
  invalid: all.reduce((sum, { invalid }) => sum + invalid, 0),
  failed: all.flatMap(({ list, problem, readAt }) =>
    problem === undefined ? [] : [{ source: source(list), problem, readAt }],
  ),
})
