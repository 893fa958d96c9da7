/** An event in an answer. */
import type * as Sweep from "@vigil/health-client/Sweep"
import * as Labels from "@vigil/health-text/Labels"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Subject from "@vigil/health-verdict/Subject"
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
    /** Whose list has it beside those of subscriptions. */
    scope: Schema.optionalKey(Schema.Literals(["tenant", "everyone"])),
  }),
) {}

/** An event, and whose lists contain it. */
export interface JoinedEvent extends Sweep.JoinedEvent<ApiVersion, Subject.Subject> {}

/** Whose list it is beside those of subscriptions. */
const scopeOf = (subject: Exclude<Subject.Subject, string>): "everyone" | "tenant" =>
  subject._tag === "Tenant" ? "tenant" : "everyone"

/** The known spelling, or the value as sent. */
const known = <Known extends string>(
  enumeration: OpenEnum.Enumeration<Known>,
  value: string | null | undefined,
): string => OpenEnum.find(enumeration, value) ?? quote.word(value)

export const typeOf = ({ properties }: HealthEvent.AnyEvent): string =>
  known(Enumerations.EventType, properties?.eventType)

/** `length`: of the names of regions as JSON; other names have the half. */
export const make = ({ event, subscriptions }: JoinedEvent, scope: Scope, length = 300): Row => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status, title } = event.properties ?? {}
  const times = {
    start: Time.ofService(impactStartTime),
    end: Time.ofService(impactMitigationTime),
    updated: Time.ofService(lastUpdateTime),
  }
  const [shared] = subscriptions.flatMap((one) => (Subject.isSubscription(one) ? [] : [one]))
  return {
    trackingId: quote.id(event.name),
    type: typeOf(event),
    status: known(Enumerations.EventStatus, status),
    level: HealthEvent.knownLevel(event) ?? "",
    quotedTitle: quote.line(title ?? "", 200),
    quotedServices: quote.names(Labels.services(event), length / 2),
    quotedRegions: quote.names(Labels.regions(event), length),
    ...Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined)),
    subscriptions: quote.names(subscriptions.filter(Subject.isSubscription).map(scope.label), length / 2),
    ...(shared === undefined ? {} : { scope: scopeOf(shared) }),
  }
}
