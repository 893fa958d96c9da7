/** Counts the results of a sweep. */
import { Incomplete } from "../Failure.js"
import * as Invalid from "./Invalid.js"
import type { Outcome } from "./AnyEvent.js"
import { plural } from "../output/Plural.js"

export interface Tally {
  readonly total: number
  readonly done: number
  readonly events: number
  readonly invalid: number
  readonly older: number
  readonly errors: number
}

export const empty = (total: number): Tally => ({ total, done: 0, events: 0, invalid: 0, older: 0, errors: 0 })

export const add = (tally: Tally, outcome: Outcome): Tally => ({
  total: tally.total,
  done: tally.done + 1,
  events: tally.events + outcome.events.length,
  invalid: tally.invalid + outcome.invalid.length,
  older: tally.older + outcome.older,
  errors: tally.errors + (outcome._tag === "Failed" ? 1 : 0),
})

export const progress = ({ done, errors, events, total }: Tally): string =>
  `${done}/${plural(total, "subscription")}, ${errors} failed, ${plural(events, "event")}`

/** `joined` is the number of events after merging. `isPrinted`: whether the format prints invalid entries. */
export const summary = ({ done, events, invalid }: Tally, joined: number | undefined, isPrinted: boolean): string => {
  const seen =
    joined === undefined
      ? `${plural(events, "event")} of`
      : `${plural(joined, "event")}, seen ${plural(events, "time")} in`
  return `${seen} ${plural(done, "subscription")}${Invalid.remark(invalid, isPrinted)}`
}

/** The error of the sweep, if a subscription failed. */
export const failure = ({ done, errors }: Tally): Incomplete | undefined =>
  errors === 0
    ? undefined
    : new Incomplete({ message: `${errors} of ${plural(done, "subscription")} failed: see above.` })

export const isFailed = ({ done, errors }: Tally): boolean => errors === done
