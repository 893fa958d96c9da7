/** One event in full, as text for a terminal. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Impact from "@vigil/health-schema/Impact"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import type * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Duration from "effect/Duration"
import * as Contents from "./internal/contents.js"
import { type Lines, fact, heading, indent, section } from "./internal/lines.js"

/** How an event is printed. @category models @since 0.2.0 */
export interface Options {
  /** The command that prints the texts that lists withhold. Without it, they are not mentioned. */
  readonly details: string | undefined
  /** The name of a subscription with its ID. Without it, only IDs are printed. */
  readonly subscriptionTitle?: (id: string) => string
  /** The maximum width, in cells. Without it, lines are not broken. */
  readonly width: number | undefined
  readonly color: boolean
}

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

const inSections: ReadonlySet<string> = new Set(
  (
    "additionalInformation advisorRecommendations article description eventLevel eventSubType eventType faqs impact " +
    "impactMitigationTime impactStartTime lastUpdateTime level links recommendedActions status summary title"
  ).split(" "),
)

const names: Readonly<Record<string, string>> = {
  isEventSensitive: "Sensitive",
  isHIR: "High incident rate",
  hirStage: "Stage of the rate",
}

const labelOf = (name: string): string => {
  const own = names[name]
  if (own !== undefined) return own
  const [, vendor] = /^enable(.+)Support$/.exec(name) ?? []
  if (vendor !== undefined) return `${vendor} support`
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)

const plain = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ")
  return Contents.plain(value)
}

const valueOf = (name: string, value: unknown): string => {
  if (!hasValue(value)) return ""
  if (name === "duration" && typeof value === "number" && value > 0) return Duration.format(Duration.seconds(value))
  return name === "priority" ? `${plain(value)} (0 is the highest, 23 the lowest)` : plain(value)
}

const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Moment.parse(timestamp) === undefined ? "" : `${Labels.minute(timestamp)} UTC`

const factsOf = (event: HealthEvent.AnyEvent): ReadonlyArray<readonly [string, string]> => {
  const { name: _name, properties, type: _type, ...identity } = event
  const others = Object.entries(properties ?? {}).filter(([name]) => !inSections.has(name))
  const { impactMitigationTime, impactStartTime, lastUpdateTime } = properties ?? {}
  const isOngoing = hasValue(impactStartTime) && Events.isActive(event)
  const ended = time(impactMitigationTime) || (isOngoing ? "not yet" : "")
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["Impact start", time(impactStartTime)],
    ["Impact end", ended],
    ["Last update", time(lastUpdateTime)],
    ...[...others, ...Object.entries(identity)].map(([name, value]) => [labelOf(name), valueOf(name, value)] as const),
  ]
  return facts.filter(([, text]) => text !== "")
}

const texts = ({ items, parts }: Contents.Section, { width }: Options): Lines => [
  ...parts.flatMap(({ kind, text }) =>
    Wrap.lines(PlainHtml.text(text), width, kind === "answer" ? indent.repeat(2) : indent),
  ),
  ...items.flatMap((item) => Wrap.lines(`- ${item}`, width, indent)),
]

/** One without an instant is printed as sent. */
const sentTime = (timestamp: Timestamp.Timestamp | null | undefined): string => time(timestamp) || (timestamp ?? "")

const region = (one: AnyRegion, { subscriptionTitle = String, width }: Options): Lines => {
  const line = (text: string) => Wrap.lines(text, width, indent.repeat(3))
  const updated = sentTime(one.lastUpdateTime)
  const parts = [one.impactedRegion || "Unknown region", one.status, updated && `updated ${updated}`]
  return [
    ...Wrap.lines(parts.filter(hasValue).join(", "), width, indent.repeat(2)),
    ...(one.impactedSubscriptions?.length
      ? line(`Subscriptions: ${one.impactedSubscriptions.map(subscriptionTitle).join(", ")}`)
      : []),
    ...(one.impactedTenants?.length ? line(`Tenants: ${one.impactedTenants.join(", ")}`) : []),
  ]
}

const impact = ({ impactedRegions, impactedService, impactedServiceGuid }: AnyImpact, options: Options): Lines => {
  const name = impactedService || "Unknown service"
  return [
    ...Wrap.lines(impactedServiceGuid ? `${name} (${impactedServiceGuid})` : name, options.width, indent),
    ...(impactedRegions ?? []).flatMap((one) => region(one, options)),
  ]
}

const update = ({ regions, tags, text, time }: Contents.Update, { width }: Options): Lines => [
  ...Wrap.lines([sentTime(time) || "At an unknown time", ...regions, ...tags].join(", "), width, indent),
  ...Wrap.lines(text, width, indent.repeat(2)),
]

const withheld = (event: HealthEvent.AnyEvent, { details, width }: Options): Lines => {
  const texts = Sensitive.withheldTexts(event)
  return details === undefined || texts.length === 0
    ? []
    : Wrap.lines(
        `Lists withhold the ${texts.join(", ")} of this sensitive event. To show all texts, run ${details}`,
        width,
        indent,
      )
}

const kind = (event: HealthEvent.AnyEvent, { color, width }: Options): Lines => {
  const { eventType, status, ...more } = event.properties ?? {}
  const subType = "eventSubType" in more && hasValue(more.eventSubType) ? ` (${plain(more.eventSubType)})` : ""
  const level = Severity.level(event) ?? ""
  const parts = [event.name, `${eventType ?? ""}${subType}`, level, status].filter(hasValue)
  return Wrap.lines(parts.join(", "), width).map((line) =>
    TerminalText.paint(line, color ? Severity.color(level) : undefined),
  )
}

/**
 * Returns an event as lines: all fields with values, and its texts, impact, updates, actions, questions and links. Safe for a terminal.
 * @category rendering @since 0.2.0
 */
export const lines = (event: HealthEvent.AnyEvent, options: Options): Lines => {
  const ofContents = (one: Contents.Section) => section(one.title, texts(one, options), options)
  return [
    ...heading(event.properties?.title || "An event without a title", options),
    ...kind(event, options),
    "",
    ...factsOf(event).flatMap((one) => fact(one, options)),
    ...section("Withheld", withheld(event, options), options),
    ...Contents.introduction(event).flatMap(ofContents),
    ...section(
      "Impact",
      (event.properties?.impact ?? []).flatMap((one) => impact(one, options)),
      options,
    ),
    ...section(
      "Updates",
      Contents.updates(event).flatMap((one) => update(one, options)),
      options,
    ),
    ...Contents.details(event).flatMap(ofContents),
  ]
}
