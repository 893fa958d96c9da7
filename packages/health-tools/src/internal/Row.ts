/** An event in an answer. */
import type { JoinedEvent } from "@vigil/health-client/Sweep"
import * as Labels from "@vigil/health-text/Labels"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Schema from "effect/Schema"
import type { Scope } from "./Scope.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const names = Schema.Array(Schema.String)
const time = Schema.optionalKey(Schema.String)

export class Row extends Schema.Opaque<Row>()(
  Schema.Struct({
    trackingId: Schema.String,
    type: Schema.String,
    status: Schema.String,
    level: Schema.String,
    quotedTitle: Schema.String,
    quotedServices: names,
    quotedRegions: names,
    start: time,
    end: time,
    updated: time,
    subscriptions: names,
  }),
) {}

/** The known spelling, or the value as sent. */
const known = <Known extends string>(
  enumeration: OpenEnum.Enumeration<Known>,
  value: string | null | undefined,
): string => OpenEnum.find(enumeration, value) ?? quote.word(value)

export const typeOf = ({ properties }: HealthEvent.AnyEvent): string =>
  known(Enumerations.EventType, properties?.eventType)

/** `length`: of the names of regions as JSON; other names have the half. */
export const make = ({ event, subscriptions }: JoinedEvent<ApiVersion>, scope: Scope, length = 300): Row => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status, title } = event.properties ?? {}
  const times = {
    start: Time.ofService(impactStartTime),
    end: Time.ofService(impactMitigationTime),
    updated: Time.ofService(lastUpdateTime),
  }
  return {
    trackingId: quote.id(event.name),
    type: typeOf(event),
    status: known(Enumerations.EventStatus, status),
    level: HealthEvent.knownLevel(event) ?? "",
    quotedTitle: quote.line(title ?? "", 200),
    quotedServices: quote.names(Labels.services(event), length / 2),
    quotedRegions: quote.names(Labels.regions(event), length),
    ...Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined)),
    subscriptions: quote.names(subscriptions.map(scope.label), length / 2),
  }
}
