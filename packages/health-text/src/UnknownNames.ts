/** Names that no event or resource has. Most are typing mistakes. */
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Region from "@vigil/health-schema/Region"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Suggestion from "./Suggestion.js"

const maxNames = 10

/** `start`: of the sentences. */
const describe = (
  start: string,
  values: ReadonlyArray<string>,
  known: ReadonlyMap<string, string>,
  normalize: (name: string) => string,
): ReadonlyArray<string> => {
  const names = [...known.values()]
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ""
  const list = names.length === 0 ? "" : ` The list has ${names.slice(0, maxNames).join(", ")}${more}.`
  return values
    .filter((value) => !known.has(normalize(value)))
    .map((value) => {
      const near = Suggestion.nearest(value, names).map((name) => JSON.stringify(name))
      const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : list
      return `${start} ${JSON.stringify(value)}.${hint}`
    })
}

const lower = (name: string): string => name.toLowerCase()

const add = (known: Map<string, string>, key: string, name: string): void => {
  if (key !== "" && !known.has(key)) known.set(key, name)
}

/** Compares selected names with those of events or resources. @category models @since 0.2.0 */
export interface UnknownNames<A> {
  /** Adds the names of events or resources. */
  readonly add: (all: ReadonlyArray<A>) => void
  /** Returns a sentence for each selected name that nothing added has, with the nearest names. */
  readonly sentences: () => ReadonlyArray<string>
}

/** Collects the services and regions of events. @category constructors @since 0.2.0 */
export const make = ({
  region = [],
  service = [],
}: Pick<Events.Selection, "region" | "service">): UnknownNames<HealthEvent.AnyEvent> => {
  const services = new Map<string, string>()
  const regions = new Map<string, string>()
  return {
    add: (events) => {
      for (const event of events)
        for (const impact of Events.impacts(event)) {
          add(services, lower(impact.service), impact.service)
          add(regions, Region.normalize(impact.region), impact.region)
        }
    },
    sentences: () => [
      ...describe("No listed event names the service", service, services, lower),
      ...describe("No listed event names the region", region, regions, Region.normalize),
    ],
  }
}

/** Names of resources to select. @category models @since 0.2.0 */
export interface ResourceNames {
  readonly type?: ReadonlyArray<string> | undefined
  readonly group?: ReadonlyArray<string> | undefined
  readonly name?: ReadonlyArray<string> | undefined
}

/** Collects the types, groups and names in the IDs of resources, as far as they are selected. @category constructors @since 0.2.0 */
export const ofResources = (selected: ResourceNames): UnknownNames<string | undefined> => {
  const kinds = [
    { start: "No listed resource has the type", values: selected.type ?? [], read: ResourceId.type },
    { start: "No listed resource is in the group", values: selected.group ?? [], read: ResourceId.group },
    { start: "No listed resource has the name", values: selected.name ?? [], read: ResourceId.name },
  ]
    .filter(({ values }) => values.length > 0)
    .map((kind) => ({ ...kind, known: new Map<string, string>() }))
  return {
    add: (ids) => {
      for (const { known, read } of kinds)
        for (const id of ids) {
          const name = read(id) ?? ""
          add(known, lower(name), name)
        }
    },
    sentences: () => kinds.flatMap(({ known, start, values }) => describe(start, values, known, lower)),
  }
}
