/** A resource that an event affects: schema, decoding, and the parts of its ID. Only the public service has an operation that lists these. */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { optional, record, text } from "./internal/record.js"
import * as ResourceId from "./ResourceId.js"

const properties = record("ImpactedResourceProperties", {
  targetResourceId: text,
  targetResourceType: text,
  targetRegion: text,
  /** How far the event is for the resource, such as `Completed`. */
  status: text,
  /** When the maintenance of the resource itself begins and ends. */
  maintenanceStartTime: text,
  maintenanceEndTime: text,
  info: optional(Schema.Array(record("KeyValueItem", { key: text, value: text }))),
})

/** The schema of an impacted resource, the same in every version. @category schemas @since 0.1.0 */
export const ImpactedResource = record("ImpactedResource", {
  id: text,
  name: text,
  type: text,
  properties: optional(properties),
})

/**
 * An impacted resource. `properties` has the resource's ID, type and region; `id` and `name` are those of the record. Every field is
 * optional, `null` means absent, and unknown fields are kept.
 * @category models @since 0.1.0
 */
export interface ImpactedResource extends Schema.Schema.Type<typeof ImpactedResource> {}

/** The schema of a page of impacted resources. @category schemas @since 0.1.0 */
export const ResourcesPage = /* @__PURE__ */ page.schema("ImpactedResourcesPage", ImpactedResource)

/** Checks parsed JSON and returns the input itself; see `HealthEvent.decode`. @category decoding @since 0.2.0 */
export const decode: (input: unknown) => Result.Result<ImpactedResource, InvalidField> = check(ImpactedResource)

/** Decodes the parsed JSON of a page; see `EventsPage.decode`. @category decoding @since 0.1.0 */
export const decodePage: (input: unknown) => Result.Result<page.Page<ImpactedResource>, InvalidField> =
  page.decodePage(decode)

/** Returns the last segment of the resource's ID; `undefined` if absent. @category getters @since 0.1.0 */
export const resourceName = ({ properties }: ImpactedResource): string | undefined =>
  ResourceId.name(properties?.targetResourceId)

/** Returns the resource group in the resource's ID; `undefined` if absent. @category getters @since 0.1.0 */
export const resourceGroup = ({ properties }: ImpactedResource): string | undefined =>
  ResourceId.group(properties?.targetResourceId)
