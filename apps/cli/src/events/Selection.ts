/** Flags that select events. Only `--filter` is sent to the service; `vigil` applies the others. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Option from "effect/Option"
import type { Values } from "../Command.js"
import * as Flag from "../Flag.js"
import * as Severity from "./Severity.js"
import * as Source from "./Source.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyProperties = HealthEvent.Properties<ApiVersion.ApiVersion>

const types = Enumerations.EventType
const levels = Enumerations.EventLevel
const statuses = Enumerations.EventStatus

const some = <Known extends string>({ known }: OpenEnum.Enumeration<Known>, name: string) =>
  Flag.repeated(Flag.oneOf(known, name), `Only events of this ${name}; repeatable: ${known.join(", ")}`)

const place = (name: string) =>
  Flag.parsed(name, "a name", (text) => Option.liftPredicate(text, (text) => text.trim() !== ""))

/** An event must match one of the values of each flag. */
export const flags = {
  type: some(types, "type"),
  level: some(levels, "level"),
  status: some(statuses, "status"),
  service: Flag.repeated(place("service"), "Only events that affect this service; repeatable"),
  region: Flag.repeated(place("region"), "Only events that affect this region, such as westeurope; repeatable"),
  filter: Source.filter,
}

export type Flags = Values<typeof flags>

export interface Selection {
  readonly filter: string | undefined
  /** Selects an event. Without it, all events are selected. */
  readonly wants: ((event: AnyEvent) => boolean) | undefined
}

type Test = (event: AnyEvent) => boolean

const choice = <Known extends string>(
  wanted: ReadonlyArray<string>,
  enumeration: OpenEnum.Enumeration<Known>,
  of: (properties: AnyProperties) => string | null | undefined,
): ReadonlyArray<Test> =>
  wanted.length === 0
    ? []
    : [({ properties }) => wanted.includes(OpenEnum.find(enumeration, of(properties ?? {})) ?? "")]

const places = ({ region, service }: Flags): ReadonlyArray<Test> => {
  const regions = region.length === 0 ? [undefined] : region
  const wanted = (service.length === 0 ? [undefined] : service).flatMap((service) =>
    regions.map((region) => ({ service, region })),
  )
  return service.length + region.length === 0 ? [] : [(event) => wanted.some((place) => Events.concerns(event, place))]
}

export const make = (flags: Flags): Selection => {
  const tests = [
    ...choice(flags.type, types, ({ eventType }) => eventType),
    ...choice(flags.level, levels, Severity.sent),
    ...choice(flags.status, statuses, ({ status }) => status),
    ...places(flags),
  ]
  return {
    filter: Option.getOrUndefined(flags.filter),
    wants: tests.length === 0 ? undefined : (event) => tests.every((test) => test(event)),
  }
}
