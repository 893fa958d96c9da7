/** Invalid entries of a list: how a summary counts them, and when they are the failure of a command. */
import * as Effect from "effect/Effect"
import { NoValidEvent } from "../Failure.js"
import * as Flag from "../Flag.js"

/** The flag that accepts a list without a valid event. */
export const flag = Flag.boolean("Succeed even if every entry of the list is invalid")

/** How many entries a command read: valid events, and invalid entries. */
export interface Count {
  readonly events: number
  readonly invalid: number
}

/** The end of a summary. `isPrinted` is whether the output holds the invalid entries, as JSON and YAML do. */
export const remark = (invalid: number, isPrinted: boolean): string =>
  invalid === 0
    ? ""
    : `; ${invalid} invalid ${invalid === 1 ? "entry" : "entries"} ${isPrinted ? "printed as sent" : "not shown"}`

/** Fails with `NoValidEvent` if there were entries, and all of them are invalid. */
export const check = ({ events, invalid }: Count, isAllowed: boolean): Effect.Effect<void, NoValidEvent> =>
  isAllowed || events > 0 || invalid === 0 ? Effect.void : new NoValidEvent({ invalid })
