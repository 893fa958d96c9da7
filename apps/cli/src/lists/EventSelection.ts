/** Flags that select events. Only `--filter` is sent to the service; `vigil` applies the others. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import type * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Option from "effect/Option"
import type { Values } from "../command/Command.js"
import * as Connection from "../connection/Connection.js"
import * as Flag from "../flags/Flag.js"

const { EventLevel, EventStatus, EventType } = Enumerations

const enumFlag = <Known extends string>({ known }: OpenEnum.Enumeration<Known>, name: string) =>
  Flag.repeated(Flag.oneOf(known, name), `Only events of this ${name}, such as ${known[0]}; repeatable`)

const place = (name: string) =>
  Flag.parsed(name, "a name", (text) => Option.liftPredicate(text, (text) => text.trim() !== ""))

/** An event must match one of the values of each flag. */
export const flags = {
  type: enumFlag(EventType, "type"),
  level: enumFlag(EventLevel, "level"),
  status: enumFlag(EventStatus, "status"),
  service: Flag.repeated(place("service"), "Only events of this service; repeatable"),
  region: Flag.repeated(place("region"), "Only events in this region, such as westeurope; repeatable"),
  filter: Connection.filter,
}

export interface Flags extends Omit<Values<typeof flags>, "filter"> {
  readonly filter?: Values<typeof flags>["filter"]
}

/** For the descriptions of commands. */
export const description = "vigil applies --type, --level, --status, --service and --region to what the service sends."

export const make = (flags: Flags) => {
  const selects = Events.matches(flags)
  const isEmpty = [flags.type, flags.level, flags.status, flags.service, flags.region].every(
    ({ length }) => length === 0,
  )
  return {
    filter: flags.filter,
    /** Selects an event. Without it, all events are selected. */
    selects: isEmpty ? undefined : selects,
  }
}
