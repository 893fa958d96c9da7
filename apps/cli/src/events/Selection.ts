/** Flags that select events. Only `--filter` is sent to the service; `vigil` applies the others. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Option from "effect/Option"
import type { Values } from "../Command.js"
import * as Flag from "../Flag.js"
import * as Source from "./Source.js"
import type { AnyEvent } from "./AnyEvent.js"

const types = Enumerations.EventType
const levels = Enumerations.EventLevel

const enumFlag = <Known extends string>({ known }: OpenEnum.Enumeration<Known>, name: string) =>
  Flag.repeated(Flag.oneOf(known, name), `Only events of this ${name}, such as ${known[0]}; repeatable`)

const place = (name: string) =>
  Flag.parsed(name, "a name", (text) => Option.liftPredicate(text, (text) => text.trim() !== ""))

/** An event must match one of the values of each flag. */
export const flags = {
  type: enumFlag(types, "type"),
  level: enumFlag(levels, "level"),
  status: enumFlag(Enumerations.EventStatus, "status"),
  service: Flag.repeated(place("service"), "Only events of this service; repeatable"),
  region: Flag.repeated(place("region"), "Only events in this region, such as westeurope; repeatable"),
  filter: Source.filter,
}

export type Flags = Values<typeof flags>

type Test = (event: AnyEvent) => boolean

const enumTest = <Known extends string>(
  wanted: ReadonlyArray<string>,
  enumeration: OpenEnum.Enumeration<Known>,
  get: (event: AnyEvent) => string | null | undefined,
): ReadonlyArray<Test> =>
  wanted.length === 0 ? [] : [(event) => wanted.includes(OpenEnum.find(enumeration, get(event)) ?? "")]

const places = ({ region, service }: Flags): ReadonlyArray<Test> => {
  const regions = region.length === 0 ? [undefined] : region
  const wanted = (service.length === 0 ? [undefined] : service).flatMap((service) =>
    regions.map((region) => ({ service, region })),
  )
  return service.length + region.length === 0 ? [] : [(event) => wanted.some((place) => Events.concerns(event, place))]
}

export const make = (flags: Flags) => {
  const tests = [
    ...enumTest(flags.type, types, ({ properties }) => properties?.eventType),
    ...enumTest(flags.level, levels, HealthEvent.knownLevel),
    ...enumTest(flags.status, Enumerations.EventStatus, (event) =>
      HealthEvent.isResolved(event) ? "Resolved" : "Active",
    ),
    ...places(flags),
  ]
  return {
    filter: flags.filter,
    /** Selects an event. Without it, all events are selected. */
    selects: tests.length === 0 ? undefined : (event: AnyEvent) => tests.every((test) => test(event)),
  }
}

export type Selection = ReturnType<typeof make>
