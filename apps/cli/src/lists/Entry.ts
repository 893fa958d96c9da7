/** The entries of a list, valid or not: their IDs, and how they are counted and printed. */
import type * as Listing from "@vigil/health-client/Listing"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CommandError } from "../command/CommandError.js"
import * as Flag from "../flags/Flag.js"
import { plural } from "../output/Output.js"
import * as Printable from "../output/Printable.js"

export const trackingId: Flag.Argument<TrackingId.TrackingId> = {
  ...Flag.parsed("id", "an ID such as AB12-CD3 from vigil events list", Schema.decodeOption(TrackingId.TrackingId)),
  description: "Tracking ID of the event",
}

/** An entry of a list. `item` is missing if the entry is invalid; `sent` is the raw value. */
export interface Entry<A> {
  readonly item: A | undefined
  readonly sent: unknown
}

export const fromItem = <A>(item: A): Entry<A> => ({ item, sent: item })

/** All entries of a page, valid or not, in order. */
export const fromPage = <A>(page: Pick<Listing.Page<A>, "invalid" | "items" | "offsets">): ReadonlyArray<Entry<A>> => {
  const entries: Array<Entry<A>> = page.items.map(fromItem)
  for (const [before, { raw }] of page.invalid.entries())
    entries.splice((page.offsets[before] ?? 0) + before, 0, { item: undefined, sent: raw })
  return entries
}

/** The end of a summary. `isPrinted`: whether the format prints invalid entries. */
export const remark = (invalid: number, isPrinted: boolean): string => {
  const entries = plural(invalid, "invalid entry", "invalid entries")
  return invalid === 0 ? "" : `; ${entries} ${isPrinted ? "printed as sent" : "not shown"}`
}

export const allowInvalid = Flag.boolean("Succeed even if all entries are invalid")

interface Tally {
  readonly events: number
  readonly invalid: number
  /** Valid events that are left out, because they were updated before the start time. */
  readonly older?: number
}

/** Fails if there are entries and all are invalid. `command` shows them. */
export const check = (
  { events, invalid, older = 0 }: Tally,
  isAllowed: boolean,
  command = "vigil events list --output json",
) => {
  if (isAllowed || events + older > 0 || invalid === 0) return Effect.void
  const all = invalid === 1 ? "The only entry of the list is invalid" : `All ${invalid} entries are invalid`
  return new CommandError(
    "invalid",
    `${all}. Run ${command} to see what the service sent, or pass --allow-invalid to accept it.`,
  )
}

/** Tables and CSV leave out invalid entries. JSON prints them as sent. */
export const definition = <A>(items: Printable.Definition<A>): Printable.Definition<Entry<A>> => ({
  ...Printable.mapInput(items, ({ item }: Entry<A>) => item),
  isRow: ({ item }) => item !== undefined,
  json: ({ sent }) => sent,
})
