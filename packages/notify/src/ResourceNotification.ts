/** Notifications of changes of the states of resources. Routes match them by the type `Resource`. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as SafeText from "@vigil/health-text/SafeText"
import { isClosing, type Level, type Notification, type Options as EventOptions, type State } from "./Notification.js"
import { fitKey, idOf, limits, named, time } from "./internal/fields.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** A change of a resource, such as those of `StatusFeed` of `@vigil/health-client`. @category models @since 0.2.0 */
export type Change =
  | {
      readonly _tag: "Appeared" | "Changed" | "Recovered"
      readonly id: string
      readonly before?: string
      readonly state: string
      readonly status: Status
    }
  | { readonly _tag: "Disappeared"; readonly id: string; readonly before: string; readonly since?: string }

/** Options of `fromChange`: `link` is a URL to open in a browser. @category models @since 0.2.0 */
export interface Options extends Omit<EventOptions, "link"> {
  readonly link?: string | undefined
}

/** The type of these notifications. @category constants @since 0.2.0 */
export const type = "Resource"

const available = "Available"

const stateOf = (change: Change): State | undefined => {
  if (change._tag === "Disappeared") return change.before === available ? undefined : "withdrawn"
  if (change._tag === "Recovered") return "resolved"
  if (change.state === available) return undefined
  return change.before === undefined || change.before === available ? "opened" : "updated"
}

/** A state that the owner caused must not page anyone. A resolution goes to the sinks that got the opening, at any level. */
const levelOf = (status: Status | undefined): Level => {
  if (status === undefined || AvailabilityStatus.cause(status) === "customer") return "Informational"
  const state = AvailabilityStatus.state(status)
  if (state === "Unavailable") return "Error"
  return state === "Degraded" ? "Warning" : "Informational"
}

const titleOf = (change: Change, name: string): string => {
  if (change._tag === "Disappeared") return `${name} is no longer listed`
  const reason = change.state === available ? "" : SafeText.line(change.status.properties?.reasonType ?? "")
  return `${name} is ${SafeText.line(change.state)}${reason === "" ? "" : ` (${reason})`}`
}

/**
 * Derives the notification of a change; `undefined` if the resource neither was nor is unavailable. A resource that is not available is an open event,
 * whose `services` are its type, and whose `trackingId` is that of the event that explains it. The level is `Error` for `Unavailable`, `Warning`
 * for `Degraded`, and `Informational` for other states and for what the owner did. The same change has the same `id`.
 * @category conversions @since 0.2.0
 */
export const fromChange = (
  change: Change,
  { link, subscription, subscriptionName }: Options = {},
): Notification | undefined => {
  const state = stateOf(change)
  if (state === undefined) return undefined
  const status = "status" in change ? change.status : undefined
  const { healthEventId, occuredTime, recentlyResolved, summary } = status?.properties ?? {}
  const key = fitKey(change.id.toLowerCase(), limits.key)
  const at = time(occuredTime)
  const isOver = isClosing(state)
  const name = SafeText.line(ResourceId.name(change.id) ?? change.id)
  const one = (text: string | null | undefined) => (text ? [SafeText.cut(text, limits.name)] : [])
  return {
    id: idOf(
      key,
      state,
      JSON.stringify([key, state, ...(change._tag === "Disappeared" ? ["", change.since] : [change.state, at])]),
    ),
    key,
    state,
    level: levelOf(status),
    trackingId: SafeText.cut(healthEventId ?? "", limits.trackingId),
    type,
    status: isOver ? "Resolved" : "Active",
    title: SafeText.cut(titleOf(change, name), limits.title),
    services: one(ResourceId.type(change.id)),
    regions: one(status?.location),
    subscription: subscription ?? null,
    ...named(subscriptionName),
    startedAt: isOver ? time(recentlyResolved?.unavailableOccuredTime) : at,
    updatedAt: at,
    endedAt: isOver ? (time(recentlyResolved?.resolvedTime) ?? at) : null,
    link: link ?? null,
    text: SafeText.cut([PlainHtml.text(summary ?? "").trim(), change.id].filter(Boolean).join("\n\n"), limits.text),
  }
}
