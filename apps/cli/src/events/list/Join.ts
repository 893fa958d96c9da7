/** Merges the events of several subscriptions. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import type * as Entry from "../../lists/Entry.js"
import type * as EventTable from "../shared/EventTable.js"
import type * as Lists from "../../lists/Lists.js"

type ListEntry = Entry.Entry<EventTable.Row>

/** Merges equal events of several lists, but not invalid entries. */
export const merge = (
  entries: ReadonlyArray<ListEntry>,
  lists: ReadonlyArray<Lists.List>,
): ReadonlyArray<ListEntry> => {
  const rows = Map.groupBy(
    entries.flatMap(({ item }) => item ?? []),
    ({ subscriptions: [id] }) => id,
  )
  const outcomes = lists.map(({ id }) => ({
    _tag: "Listed" as const,
    subscription: SubscriptionId.make(id),
    events: (rows.get(id) ?? []).map(({ event }) => event),
    invalid: [],
    older: 0,
  }))
  return [
    ...Sweep.join(outcomes).map(({ event, subscriptions }) => ({
      item: { event, subscriptions },
      sent: { subscriptions, event },
    })),
    ...entries.filter(({ item }) => item === undefined),
  ]
}
