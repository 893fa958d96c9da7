/** Whose an event or a resource is: the names of subscriptions, short and without IDs where they have names. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import { enumerateSome } from "@vigil/health-text/Sentence"
import * as Subject from "@vigil/health-verdict/Subject"
import type { Snapshot, Subscription } from "../Snapshot.js"

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Without the IDs of what has a name, and with the beginning of others. The whole text is in a tooltip. */
export const brief = (text: string): string =>
  text.replace(/ \(([\da-f-]{36})\)/gi, "").replace(uuid, (id) => `${id.slice(0, 8)}…`)

const label = ({ id, name }: Subscription): string => name ?? brief(id)

export interface Owners {
  /** All subscriptions, for a heading. */
  readonly all: string
  /** Of an event: the subscriptions, if there are several, the tenant, or emerging issues. */
  readonly event: (event: HealthEvent.AnyEvent) => string
  /** Of a resource. Empty unless there are several subscriptions. */
  readonly resource: (status: AvailabilityStatus.AvailabilityStatus) => string
}

export const make = ({
  everyone,
  source,
  subscriptions = [],
  tenant,
}: Pick<Snapshot, "everyone" | "source" | "subscriptions" | "tenant">): Owners => {
  const [first, ...others] = subscriptions
  const hasNames = others.length > 0 || first?.name !== undefined
  const several = others.length === 0 ? [] : subscriptions
  const lists = [
    ...several.map((one) => ({ events: one.events, name: label(one) })),
    ...Subject.shared.map((subject) => ({
      events: (subject === Subject.everyone ? everyone : tenant)?.events ?? [],
      name: Subject.label(subject),
    })),
  ]
  const owned = lists.flatMap(({ events, name }) => events.map((event) => ({ event, name })))
  const byEvent = Map.groupBy(owned, ({ event }) => HealthEvent.eventKey(event))
  const byId = new Map(several.map((one) => [one.id.toLowerCase(), label(one)]))
  return {
    all: hasNames ? enumerateSome(subscriptions.map(label)) : brief(source),
    event: (event) =>
      enumerateSome(Labels.distinct(byEvent.get(HealthEvent.eventKey(event))?.map(({ name }) => name) ?? [])),
    resource: (status) => byId.get(AvailabilityStatus.subscriptionId(status)?.toLowerCase() ?? "") ?? "",
  }
}
