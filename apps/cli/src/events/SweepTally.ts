/** Counts the results of a sweep. */
import type * as Sweep from "@vigil/health-client/Sweep"
import * as Arr from "effect/Array"
import * as Failure from "../Failure.js"
import * as Invalid from "./Invalid.js"
import type { Outcome } from "./AnyEvent.js"
import { plural } from "../output/Plural.js"

type PagesError = Sweep.SweepError

export interface Tally {
  readonly total: number
  readonly done: number
  readonly events: number
  readonly invalid: number
  readonly older: number
  readonly errors: ReadonlyArray<PagesError>
}

export const empty = (total: number): Tally => ({ total, done: 0, events: 0, invalid: 0, older: 0, errors: [] })

export const add = (tally: Tally, outcome: Outcome): Tally => ({
  total: tally.total,
  done: tally.done + 1,
  events: tally.events + outcome.events.length,
  invalid: tally.invalid + outcome.invalid.length,
  older: tally.older + outcome.older,
  errors: outcome._tag === "Failed" ? [...tally.errors, outcome.error] : tally.errors,
})

const width = 20

export const progress = ({ done, errors, events, total }: Tally): string => {
  const filled = Math.floor((done / Math.max(1, total)) * width)
  const bar = "#".repeat(filled) + "-".repeat(width - filled)
  return `[${bar}] ${done}/${plural(total, "subscription")}, ${errors.length} failed, ${plural(events, "event")}`
}

/** `joined` is the number of events after merging. `isPrinted`: whether the format prints invalid entries. */
export const summary = ({ done, events, invalid }: Tally, joined: number | undefined, isPrinted: boolean): string => {
  const seen =
    joined === undefined
      ? `${plural(events, "event")} of`
      : `${plural(joined, "event")}, seen ${plural(events, "time")} in`
  return `${seen} ${plural(done, "subscription")}${Invalid.remark(invalid, isPrinted)}`
}

const reason = (error: PagesError): string => {
  const kind = error._tag.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
  if (error._tag === "ServiceError") return `${kind} ${error.status}`
  return error._tag === "TransportError" && error.code !== undefined ? `${kind} ${error.code}` : kind
}

const reasons = (errors: ReadonlyArray<PagesError>): string =>
  Object.entries(Arr.groupBy(errors, reason))
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, { length }]) => `${length} ${reason}`)
    .join(", ")

/** The error of the sweep, if a subscription failed. If all failed with the same exit code, the sweep has it too. */
export const failure = ({ done, errors }: Tally): Failure.Incomplete | undefined => {
  const [first] = errors
  if (first === undefined) return undefined
  const isAlike = errors.length === done && errors.every((error) => Failure.exitOf(error) === Failure.exitOf(first))
  return new Failure.Incomplete({
    message: `${errors.length} of ${plural(done, "subscription")} failed: ${reasons(errors)}.`,
    like: isAlike ? first : undefined,
  })
}

export const isFailed = ({ done, errors }: Tally): boolean => errors.length === done
