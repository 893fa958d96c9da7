/** Whose an event or a resource is: the names of subscriptions, short and without IDs where they have names. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import { enumerate } from "@vigil/health-text/Sentence"
import type { Snapshot, Subscription } from "../Snapshot.js"

/** How many names a sentence has. */
const maxNames = 3

/** The first ones, and how many more there are. */
export const some = (names: ReadonlyArray<string>, most = maxNames): string =>
  enumerate(names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names)

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
  const all = hasNames ? some(subscriptions.map(label)) : brief(source)
  if (subscriptions.length < 2) return { all, event: () => "", resource: () => "" }
  const byEvent = new Map<string | undefined, Array<string>>()
  for (const one of subscriptions) {
    for (const event of one.events) {
      const key = HealthEvent.eventKey(event)
      const names = byEvent.get(key)
      if (names === undefined) byEvent.set(key, [label(one)])
      else if (names.at(-1) !== label(one)) names.push(label(one))
    }
  }
  const byId = new Map(subscriptions.map((one) => [one.id.toLowerCase(), label(one)]))
  return {
    all,
    event: (event) => some(byEvent.get(HealthEvent.eventKey(event)) ?? []),
    resource: (status) => byId.get(AvailabilityStatus.subscriptionId(status)?.toLowerCase() ?? "") ?? "",
  }
}
