/** An entry of a sweep, with its subscriptions. */
import * as Sweep from "@vigil/health-client/Sweep"
import type { Shape } from "../output/Format.js"
import type { Outcome } from "./AnyEvent.js"
import * as Entry from "./Entry.js"

export interface SweepEntry extends Entry.Entry {
  readonly subscriptions: ReadonlyArray<string>
}

const invalidEntries = ({ invalid, subscription }: Outcome): ReadonlyArray<SweepEntry> =>
  invalid.map(({ raw }) => ({ item: undefined, sent: raw, subscriptions: [subscription] }))

export const fromOutcome = (outcome: Outcome): ReadonlyArray<SweepEntry> => [
  ...outcome.events.map((event) => ({ ...Entry.fromItem(event), subscriptions: [outcome.subscription] })),
  ...invalidEntries(outcome),
]

/** The entries of all subscriptions. Equal events are merged, invalid entries are not. */
export const join = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<SweepEntry> => [
  ...Sweep.join(outcomes).map(({ event, subscriptions }) => ({ ...Entry.fromItem(event), subscriptions })),
  ...outcomes.flatMap(invalidEntries),
]

const { columns, fields, json, record, row } = Entry.shape

const makeShape = (
  name: string,
  subscriptionsToJson: (subscriptions: ReadonlyArray<string>) => object,
): Shape<SweepEntry> => {
  const prepend = <A>(entry: SweepEntry, cells: ReadonlyArray<A> | undefined) =>
    cells && [entry.subscriptions.join(", "), ...cells]
  return {
    columns: [{ heading: name.toUpperCase(), minWidth: 8 }, ...columns],
    row: (entry) => prepend(entry, row(entry)),
    fields: [name, ...fields],
    record: (entry) => prepend(entry, record(entry)),
    json: (entry) => ({ ...subscriptionsToJson(entry.subscriptions), event: json(entry) }),
  }
}

/** For JSON: `subscription`, and the event as sent. */
export const single = makeShape("subscription", ([subscription]) => ({ subscription }))

/** For JSON: `subscriptions`, and the merged event. */
export const joined = makeShape("subscriptions", (subscriptions) => ({ subscriptions }))
