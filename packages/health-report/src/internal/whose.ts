/** Whose an event or a resource is: the names of subscriptions, short and without IDs where they have names. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import { enumerateSome } from "@vigil/health-text/Sentence"
import type { Snapshot, Subscription } from "../Snapshot.js"

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Without the IDs of what has a name, and with the beginning of others. The whole text is in a tooltip. */
export const brief = (text: string): string =>
  text.replace(/ \(([\da-f-]{36})\)/gi, "").replace(uuid, (id) => `${id.slice(0, 8)}…`)

const label = ({ id, name }: Subscription): string => name ?? brief(id)

export interface Whose {
  /** All subscriptions, for a heading. */
  readonly all: string
  /** Of an event or a resource. Empty unless there are several subscriptions. */
  readonly event: (event: HealthEvent.AnyEvent) => string
  readonly resource: (status: AvailabilityStatus.AvailabilityStatus) => string
}

export const make = ({ source, subscriptions = [] }: Pick<Snapshot, "source" | "subscriptions">): Whose => {
  const [first] = subscriptions
  const hasNames = subscriptions.length > 1 || first?.name !== undefined
  const all = hasNames ? enumerateSome(subscriptions.map(label)) : brief(source)
  if (subscriptions.length < 2) return { all, event: () => "", resource: () => "" }
  const owned = subscriptions.flatMap((one) => one.events.map((event) => ({ event, name: label(one) })))
  const byEvent = Map.groupBy(owned, ({ event }) => HealthEvent.eventKey(event))
  const byId = new Map(subscriptions.map((one) => [one.id.toLowerCase(), label(one)]))
  return {
    all,
    event: (event) =>
      enumerateSome(Labels.distinct(byEvent.get(HealthEvent.eventKey(event))?.map(({ name }) => name) ?? [])),
    resource: (status) => byId.get(AvailabilityStatus.subscriptionId(status)?.toLowerCase() ?? "") ?? "",
  }
}
