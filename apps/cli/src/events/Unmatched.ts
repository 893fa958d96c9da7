/** Finds values of `--service` and `--region` that no listed event names. Most are typing mistakes. */
import * as Events from "@vigil/health-schema/Events"
import * as Region from "@vigil/health-schema/Region"
import * as Suggestion from "../Suggestion.js"
import type { AnyEvent } from "./AnyEvent.js"

export interface Flags {
  readonly service: ReadonlyArray<string>
  readonly region: ReadonlyArray<string>
}

const maxNames = 10

type Known = Map<string, string>

const add = (known: Known, key: string, name: string) => {
  if (key !== "" && !known.has(key)) known.set(key, name)
}

const hint = (value: string, names: ReadonlyArray<string>): string => {
  const near = Suggestion.nearest(value, names).map((name) => JSON.stringify(name))
  if (near.length > 0) return ` Did you mean ${near.join(" or ")}?`
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ""
  return names.length === 0 ? "" : ` The list has ${names.slice(0, maxNames).join(", ")}${more}.`
}

const notesOf = (
  flag: string,
  values: ReadonlyArray<string>,
  known: Known,
  normalize: (name: string) => string,
): ReadonlyArray<string> =>
  values
    .filter((value) => !known.has(normalize(value)))
    .map(
      (value) =>
        `vigil: No listed event names the ${flag} ${JSON.stringify(value)}.${hint(value, [...known.values()])}`,
    )

export const make = ({ region, service }: Flags) => {
  const services: Known = new Map()
  const regions: Known = new Map()
  const lower = (name: string) => name.toLowerCase()
  return {
    add: (events: ReadonlyArray<AnyEvent>): void => {
      for (const event of events)
        for (const impact of Events.impacts(event)) {
          add(services, lower(impact.service), impact.service)
          add(regions, Region.normalize(impact.region), impact.region)
        }
    },
    notes: () => [
      ...notesOf("service", service, services, lower),
      ...notesOf("region", region, regions, Region.normalize),
    ],
  }
}
