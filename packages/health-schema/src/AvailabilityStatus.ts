/** The availability of a resource (record `availabilityStatus`): schema, decoding, and the resource that it is about. */
import * as Order from "effect/Order"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import type { InvalidField } from "./InvalidField.js"
import { isAvailabilityStatus } from "./internal/checks.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { optional, record, text } from "./internal/record.js"
import * as OpenEnum from "./OpenEnum.js"
import * as ResourceId from "./ResourceId.js"
import * as Timestamp from "./Timestamp.js"

/** A function, so that bundles of the getters have no schema. */
const make = () => {
  const time = optional(Timestamp.Timestamp)
  return record("AvailabilityStatus", {
    id: text,
    name: text,
    type: text,
    location: text,
    properties: optional(
      record("AvailabilityStatusProperties", {
        availabilityState: optional(Enumerations.AvailabilityState),
        title: text,
        summary: text,
        detailedStatus: text,
        /** Who caused the state, such as `Unplanned`, `Planned`, `UserInitiated` or `Customer Initiated`. */
        reasonType: text,
        context: text,
        category: text,
        articleId: text,
        rootCauseAttributionTime: time,
        healthEventType: text,
        healthEventCause: text,
        healthEventCategory: text,
        /** The tracking ID of the event. */
        healthEventId: text,
        resolutionETA: time,
        /** When the state began, as the service spells it. */
        occuredTime: time,
        reasonChronicity: optional(Enumerations.ReasonChronicity),
        /** When the service last checked the state. */
        reportedTime: time,
        recentlyResolved: optional(
          record("RecentlyResolved", { unavailableOccuredTime: time, resolvedTime: time, unavailableSummary: text }),
        ),
        recommendedActions: optional(
          Schema.Array(
            record("ResourceAction", {
              action: text,
              actionUrl: text,
              "_ActionUrl.Comment": text,
              actionUrlText: text,
            }),
          ),
        ),
        serviceImpactingEvents: optional(
          Schema.Array(
            record("ServiceImpactingEvent", {
              eventStartTime: time,
              eventStatusLastModifiedTime: time,
              correlationId: text,
              status: optional(record("ServiceImpactingEventStatus", { value: text })),
              incidentProperties: optional(
                record("IncidentProperties", { title: text, service: text, region: text, incidentType: text }),
              ),
            }),
          ),
        ),
      }),
    ),
  })
}

/** The schema of a status, the same in every version. @category schemas @since 0.2.0 */
export const AvailabilityStatus = /* @__PURE__ */ make()

/**
 * The availability of a resource at a time. `id` contains the ID of the resource, and `name` is `current`, or a time in a history. Every field is
 * optional, `null` means absent, and unknown fields are kept.
 * @category models @since 0.2.0
 */
export interface AvailabilityStatus extends Schema.Schema.Type<typeof AvailabilityStatus> {}

/** The schema of a page of statuses. @category schemas @since 0.2.0 */
export const StatusesPage = /* @__PURE__ */ page.schema("AvailabilityStatusesPage", AvailabilityStatus)

/** Checks parsed JSON and returns the input itself; see `HealthEvent.decode`. @category decoding @since 0.2.0 */
export const decode: (input: unknown) => Result.Result<AvailabilityStatus, InvalidField> = /* @__PURE__ */ check(
  AvailabilityStatus,
  isAvailabilityStatus,
)

/** Decodes the parsed JSON of a page; see `EventsPage.decode`. @category decoding @since 0.2.0 */
export const decodePage: (input: unknown) => Result.Result<page.Page<AvailabilityStatus>, InvalidField> =
  /* @__PURE__ */ page.decodePage(decode)

/** Returns the known state, ignoring case; `undefined` if it is absent or another text. @category getters @since 0.2.0 */
export const state = ({
  properties,
}: AvailabilityStatus): (typeof Enumerations.AvailabilityState.known)[number] | undefined =>
  OpenEnum.find(Enumerations.AvailabilityState, properties?.availabilityState)

/** Returns whether the state is `Available`, ignoring case: an unknown or absent state is not. @category guards @since 0.2.0 */
export const isAvailable = (status: AvailabilityStatus): boolean => state(status) === "Available"

const ranks = ["Unavailable", "Degraded", "Unknown", undefined, "Available"] as const

/** Orders statuses by their states, the worst first. One that is absent or new is worse than `Available`. @category ordering @since 0.4.0 */
export const worstFirst: Order.Order<AvailabilityStatus> = /* @__PURE__ */ Order.mapInput(Order.Number, (status) =>
  ranks.indexOf(state(status)),
)

/**
 * Returns the ID of the resource, which is the part of `id` before `/providers/<vendor>.ResourceHealth/`, else all of `id`; `undefined` if absent.
 * @category getters @since 0.2.0
 */
export const resourceId = ({ id }: Pick<AvailabilityStatus, "id">): string | undefined =>
  id?.replace(/\/providers\/[^/]+\.ResourceHealth(?:\/.*)?$/is, "") || undefined

/** Returns the last segment of the resource's ID; `undefined` if absent. @category getters @since 0.2.0 */
export const resourceName = (status: AvailabilityStatus): string | undefined => ResourceId.name(resourceId(status))

/** Returns the resource group in the resource's ID; `undefined` if absent. @category getters @since 0.2.0 */
export const resourceGroup = (status: AvailabilityStatus): string | undefined => ResourceId.group(resourceId(status))

/** Returns the type in the resource's ID; see `ResourceId.type`. `type` is that of the record. @category getters @since 0.2.0 */
export const resourceType = (status: AvailabilityStatus): string | undefined => ResourceId.type(resourceId(status))

/** Returns the subscription in the resource's ID; `undefined` if absent. @category getters @since 0.2.0 */
export const subscriptionId = (status: AvailabilityStatus): string | undefined =>
  ResourceId.subscription(resourceId(status))

/** Ignores case, spaces and punctuation. */
const word = (text: string | null | undefined): string => (text ?? "").toLowerCase().replace(/[^a-z]/g, "")

const causes = [
  ["platform", /^(platform|unplanned|outage)(initiated)?$/],
  ["maintenance", /^planned$/],
  ["customer", /^(user|customer|vm)(initiated)?$/],
] as const

/**
 * Returns who caused the state; `undefined` if the status does not say. The first field that says it counts: `context` (`Platform Initiated`, `Customer
 * Initiated`, or `VM Initiated` from within a virtual machine), `healthEventCause`, then `reasonType` (`Unplanned`, `Planned`, `UserInitiated` or
 * `Customer Initiated`). `category` says whether the platform planned it.
 * @category getters @since 0.2.0
 */
export const cause = ({ properties }: AvailabilityStatus): "platform" | "maintenance" | "customer" | undefined => {
  const { category, context, healthEventCategory, healthEventCause, reasonType } = properties ?? {}
  const said = [context, healthEventCause, reasonType]
    .flatMap((text) => (text ? causes.filter(([, words]) => words.test(word(text))) : []))
    .map(([cause]) => cause)[0]
  if (said !== "platform") return said
  const kinds = new Set([reasonType, category, healthEventCategory].map(word))
  const has = (...some: ReadonlyArray<string>) => some.some((one) => kinds.has(one))
  return has("planned", "maintenance") && !has("unplanned", "outage", "incident") ? "maintenance" : "platform"
}
