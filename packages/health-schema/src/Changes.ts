/** What is new in a later version of an event: its fields, its regions, and the updates of their timelines. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import { equal, sameField } from "./internal/equal.js"
import type * as Update from "./Update.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

/**
 * A field that differs, named by its path in the document, and its values; `undefined` where it is absent.
 *
 * @category models
 * @since 0.1.0
 */
export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * A region of a service that is new, gone, or different in the named fields (`updates` apart).
 *
 * @category models
 * @since 0.1.0
 */
export interface RegionChange {
  readonly service: string
  readonly region: string
  readonly kind: "Added" | "Removed" | "Changed"
  readonly fields: ReadonlyArray<string>
}

/**
 * An entry of a region's timeline that was not there before.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewUpdate {
  readonly service: string
  readonly region: string
  readonly update: Update.Update<ApiVersion.ApiVersion>
}

/**
 * Everything that differs. All are empty between two copies of the same event; `null` and absent are the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface Changes {
  readonly fields: ReadonlyArray<FieldChange>
  readonly regions: ReadonlyArray<RegionChange>
  readonly updates: ReadonlyArray<NewUpdate>
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that differ between two records, those aside that are `told` elsewhere. */
const differing = (before: object, after: object, told: string): ReadonlyArray<FieldChange> => {
  const [from, to]: readonly [Fields, Fields] = [{ ...before }, { ...after }]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => name !== told && !sameField(from[name], to[name]))
    .map((name) => ({ path: name, before: from[name], after: to[name] }))
}

interface Place {
  readonly service: string
  readonly region: string
  readonly content: AnyRegion
}

/** The regions of an event, by service and name. A pair that is listed twice is the later of the two. */
const places = (event: AnyEvent): ReadonlyMap<string, Place> =>
  new Map(
    (event.properties?.impact ?? []).flatMap(({ impactedRegions, impactedService, impactedServiceGuid }) =>
      (impactedRegions ?? []).map((content): [string, Place] => {
        const [service, region] = [impactedService ?? "", content.impactedRegion ?? ""]
        return [JSON.stringify([impactedServiceGuid ?? service, region]), { service, region, content }]
      }),
    ),
  )

const none: AnyRegion = {}

/**
 * What differs between two versions of one event, the earlier one first.
 *
 * @category getters
 * @since 0.1.0
 */
export const between = (before: AnyEvent, after: AnyEvent): Changes => {
  const [from, to] = [places(before), places(after)]
  const regions: Array<RegionChange> = []
  const updates: Array<NewUpdate> = []
  for (const [key, { content, region, service }] of to) {
    const old = from.get(key)?.content
    const fields = differing(old ?? none, content, "updates").map(({ path }) => path)
    if (old === undefined) regions.push({ service, region, kind: "Added", fields })
    else if (fields.length > 0) regions.push({ service, region, kind: "Changed", fields })
    for (const update of content.updates ?? [])
      if (!old?.updates?.some((known) => equal(known, update))) updates.push({ service, region, update })
  }
  for (const [key, { region, service }] of from)
    if (!to.has(key)) regions.push({ service, region, kind: "Removed", fields: [] })
  const inside = differing(before.properties ?? {}, after.properties ?? {}, "impact")
  return {
    fields: [
      ...differing(before, after, "properties"),
      ...inside.map((change) => ({ ...change, path: `properties.${change.path}` })),
    ],
    regions,
    updates,
  }
}

/**
 * Whether nothing differs.
 *
 * @category guards
 * @since 0.1.0
 */
export const isEmpty = ({ fields, regions, updates }: Changes): boolean =>
  fields.length === 0 && regions.length === 0 && updates.length === 0
