/** Names of services and regions that no event has. Most are typing mistakes. */
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Region from "@vigil/health-schema/Region"
import * as Suggestion from "./Suggestion.js"

const maxNames = 10

const describe = (
  kind: string,
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
      return `No listed event names the ${kind} ${JSON.stringify(value)}.${hint}`
    })
}

/** Compares selected names with those of events. @category models @since 0.2.0 */
export interface UnknownNames {
  /** Adds the services and regions of events. */
  readonly add: (events: ReadonlyArray<HealthEvent.AnyEvent>) => void
  /** Returns a sentence for each selected name that no added event has, with the nearest names. */
  readonly sentences: () => ReadonlyArray<string>
}

/** Collects the services and regions of events. @category constructors @since 0.2.0 */
export const make = ({ region = [], service = [] }: Pick<Events.Selection, "region" | "service">): UnknownNames => {
  const services = new Map<string, string>()
  const regions = new Map<string, string>()
  const lower = (name: string) => name.toLowerCase()
  const add = (known: Map<string, string>, key: string, name: string) => {
    if (key !== "" && !known.has(key)) known.set(key, name)
  }
  return {
    add: (events) => {
      for (const event of events)
        for (const impact of Events.impacts(event)) {
          add(services, lower(impact.service), impact.service)
          add(regions, Region.normalize(impact.region), impact.region)
        }
    },
    sentences: () => [
      ...describe("service", service, services, lower),
      ...describe("region", region, regions, Region.normalize),
    ],
  }
}
