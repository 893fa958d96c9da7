/** Invalid entries of a list: the summary, and when the command fails. */
import * as Effect from "effect/Effect"
import { NoValidEvent } from "../Failure.js"
import * as Flag from "../Flag.js"

export const flag = Flag.boolean("Succeed even if all entries are invalid")

interface Count {
  readonly events: number
  readonly invalid: number
  /** Valid events that are left out, because they were updated before the start time. */
  readonly older?: number
}

/** The end of a summary. `isPrinted`: whether the format prints invalid entries. */
export const remark = (invalid: number, isPrinted: boolean): string =>
  invalid === 0
    ? ""
    : `; ${invalid} invalid ${invalid === 1 ? "entry" : "entries"} ${isPrinted ? "printed as sent" : "not shown"}`

/** Fails with `NoValidEvent` if there are entries and all are invalid. `command` shows them. */
export const check = ({ events, invalid, older = 0 }: Count, isAllowed: boolean, command = "vigil events list") =>
  isAllowed || events + older > 0 || invalid === 0 ? Effect.void : new NoValidEvent({ invalid, command })
