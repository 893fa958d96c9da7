/** An entry of a sweep, with its subscriptions. */
import * as HealthSweep from "@vigil/health-client/Sweep"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { Shape } from "../output/Format.js"
import * as Entry from "./Entry.js"

type Outcome = HealthSweep.Outcome<ApiVersion.ApiVersion>

export interface Sighting {
  readonly entry: Entry.Entry
  readonly subscriptions: ReadonlyArray<string>
}

const strays = ({ invalid, subscription }: Outcome): ReadonlyArray<Sighting> =>
  invalid.map(({ raw }) => ({ entry: { event: undefined, sent: raw }, subscriptions: [subscription] }))

export const of = (outcome: Outcome): ReadonlyArray<Sighting> => [
  ...outcome.events.map((event) => ({ entry: Entry.of(event), subscriptions: [outcome.subscription] })),
  ...strays(outcome),
]

export const join = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Sighting> => [
  ...HealthSweep.join(outcomes).map(({ event, subscriptions }) => ({ entry: Entry.of(event), subscriptions })),
  ...outcomes.flatMap(strays),
]

const { columns, fields, json, record, row } = Entry.shape

const shapeBy = (
  name: string,
  heading: string,
  inJson: (subscriptions: ReadonlyArray<string>) => object,
): Shape<Sighting> => ({
  columns: [{ heading, least: 8 }, ...columns],
  row: ({ entry, subscriptions }) => {
    const cells = row(entry)
    return cells && [subscriptions.join(", "), ...cells]
  },
  fields: [name, ...fields],
  record: ({ entry, subscriptions }) => {
    const cells = record(entry)
    return cells && [subscriptions.join(", "), ...cells]
  },
  json: ({ entry, subscriptions }) => ({ ...inJson(subscriptions), event: json(entry) }),
})

/** For JSON: `subscription`, and the event as sent. */
export const single = shapeBy("subscription", "SUBSCRIPTION", ([subscription]) => ({ subscription }))

/** For JSON: `subscriptions`, and the merged event. */
export const joined = shapeBy("subscriptions", "SUBSCRIPTIONS", (subscriptions) => ({ subscriptions }))
