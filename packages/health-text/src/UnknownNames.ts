/** Names that no event or resource has. Most are typing mistakes. */
import type * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Region from "@vigil/health-schema/Region"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "./Labels.js"
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

/** Compares selected names with those of events or resources. @category models @since 0.2.0 */
export interface UnknownNames<A> {
  /** Adds the names of events or resources. */
  readonly add: (all: ReadonlyArray<A>) => void
  /** Returns a sentence for each selected name that nothing added has, with the nearest names. */
  readonly sentences: () => ReadonlyArray<string>
}

interface Kind<A> {
  /** The beginning of its sentences. */
  readonly start: string
  readonly selected: ReadonlyArray<string> | undefined
  readonly read: (from: A) => ReadonlyArray<string>
  /** Names with the same result are the same. Default: `toLowerCase`. */
  readonly normalize?: (name: string) => string
}

/** Without a selected name, it reads nothing. */
const collect = <A>(kinds: ReadonlyArray<Kind<A>>): UnknownNames<A> => {
  const all = kinds.flatMap(({ normalize = lower, selected, ...kind }) =>
    selected?.length ? [{ ...kind, normalize, selected, known: new Map<string, string>() }] : [],
  )
  return {
    add: (added) => {
      for (const { known, normalize, read } of all)
        for (const name of added.flatMap(read)) {
          const key = normalize(name)
          if (key !== "" && !known.has(key)) known.set(key, name)
        }
    },
    sentences: () =>
      all.flatMap(({ known, normalize, selected, start }) => describe(start, selected, known, normalize)),
  }
}

/** Collects the services and regions of events, as far as they are selected. @category constructors @since 0.2.0 */
export const make = ({
  region,
  service,
}: Pick<Events.Selection, "region" | "service">): UnknownNames<HealthEvent.AnyEvent> =>
  collect([
    { start: "No listed event names the service", selected: service, read: Labels.services },
    { start: "No listed event names the region", selected: region, read: Labels.regions, normalize: Region.normalize },
  ])

/** Names of resources to select. @category models @since 0.2.0 */
export interface ResourceNames {
  readonly type?: ReadonlyArray<string> | undefined
  readonly group?: ReadonlyArray<string> | undefined
  readonly name?: ReadonlyArray<string> | undefined
}

/** Collects the types, groups and names in the IDs of resources, as far as they are selected. @category constructors @since 0.2.0 */
export const ofResources = ({ group, name, type }: ResourceNames): UnknownNames<string | undefined> =>
  collect([
    { start: "No listed resource has the type", selected: type, read: (id) => [ResourceId.type(id) ?? ""] },
    { start: "No listed resource is in the group", selected: group, read: (id) => [ResourceId.group(id) ?? ""] },
    { start: "No listed resource has the name", selected: name, read: (id) => [ResourceId.name(id) ?? ""] },
  ])
