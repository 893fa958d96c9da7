/** A resource that an event affects: schema, decoding, and the parts of its ID. Not in the API document: from the public service's contract. */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import * as page from "./internal/page.js"
import { optional, record, text } from "./internal/record.js"

const properties = record("ImpactedResourceProperties", {
  targetResourceId: text,
  targetResourceType: text,
  targetRegion: text,
  info: optional(Schema.Array(record("KeyValueItem", { key: text, value: text }))),
})

/**
 * The schema of an impacted resource (`eventImpactedResource` of the public contract 2025-05-01), the same in every version.
 * @category schemas @since 0.1.0
 */
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
export const ResourcesPage = record("ImpactedResourcesPage", { value: Schema.Array(ImpactedResource), nextLink: text })

/** A decoded page of impacted resources. @category models @since 0.1.0 */
export interface Page extends page.Page<ImpactedResource> {}

/**
 * Checks parsed JSON and returns the input itself, unchanged. Fails with `InvalidField` at the first invalid field.
 * @category decoding @since 0.1.0
 */
export const decode: (input: unknown) => Result.Result<ImpactedResource, InvalidField> = check(ImpactedResource)

/**
 * Decodes the parsed JSON of a page; see `EventsPage.decode`.
 * @category decoding @since 0.1.0
 */
export const decodePage: (input: unknown) => Result.Result<Page, InvalidField> = page.decodePage(decode)

const resourceId = ({ properties }: ImpactedResource): string => properties?.targetResourceId ?? ""

/** Returns the last segment of the resource's ID; `undefined` if absent. @category getters @since 0.1.0 */
export const resourceName = (resource: ImpactedResource): string | undefined =>
  resourceId(resource)
    .split("/")
    .findLast((segment) => segment !== "")

/** Returns the resource group in the resource's ID; `undefined` if absent. @category getters @since 0.1.0 */
export const resourceGroup = (resource: ImpactedResource): string | undefined =>
  /\/resourceGroups\/([^/]+)/i.exec(resourceId(resource))?.[1]
