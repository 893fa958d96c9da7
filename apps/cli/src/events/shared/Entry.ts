/** The entries of a list, valid or not: how they are counted and printed. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Effect from "effect/Effect"
import * as Flag from "../../flags/Flag.js"
import * as Printable from "../../output/Printable.js"
import { NoValidEvent } from "./NoValidEvent.js"

/** An entry of a list. `item` is missing if the entry is invalid; `sent` is the raw value. */
export interface Entry<A> {
  readonly item: A | undefined
  readonly sent: unknown
}

export const fromItem = <A>(item: A): Entry<A> => ({ item, sent: item })

/** All entries of a page, valid or not, in order. */
export const fromPage = <A>({
  invalid,
  items,
  offsets,
}: Pick<Listing.Page<A>, "invalid" | "items" | "offsets">): ReadonlyArray<Entry<A>> => {
  const entries: Array<Entry<A>> = items.map(fromItem)
  for (const [before, { raw }] of invalid.entries())
    entries.splice((offsets[before] ?? 0) + before, 0, { item: undefined, sent: raw })
  return entries
}

/** The end of a summary. `isPrinted`: whether the format prints invalid entries. */
export const remark = (invalid: number, isPrinted: boolean): string =>
  invalid === 0
    ? ""
    : `; ${invalid} invalid ${invalid === 1 ? "entry" : "entries"} ${isPrinted ? "printed as sent" : "not shown"}`

export const allowInvalid = Flag.boolean("Succeed even if all entries are invalid")

interface Tally {
  readonly events: number
  readonly invalid: number
  /** Valid events that are left out, because they were updated before the start time. */
  readonly older?: number
}

/** Fails with `NoValidEvent` if there are entries and all are invalid. `command` shows them. */
export const check = ({ events, invalid, older = 0 }: Tally, isAllowed: boolean, command = "vigil events list") =>
  isAllowed || events + older > 0 || invalid === 0 ? Effect.void : new NoValidEvent({ invalid, command })

/** Tables and CSV leave out invalid entries. JSON prints them as sent. */
export const definition = <A>(items: Printable.Definition<A>): Printable.Definition<Entry<A>> => ({
  ...Printable.mapInput(items, ({ item }: Entry<A>) => item),
  isRow: ({ item }) => item !== undefined,
  json: ({ sent }) => sent,
})
