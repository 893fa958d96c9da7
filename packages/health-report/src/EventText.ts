/** One event in full, as text for a terminal. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { jsonText, pairs } from "./internal/pairs.js"
import * as TerminalText from "./TerminalText.js"
import * as Wrap from "./Wrap.js"
import * as Labels from "./Labels.js"
import * as ImpactText from "./internal/impactText.js"
import * as PlainHtml from "./PlainHtml.js"
import * as Severity from "./Severity.js"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"

/** How an event is printed. @category models @since 0.2.0 */
export interface Options {
  /** The command that prints the texts that lists withhold. Without it, they are not mentioned. */
  readonly details: string | undefined
  /** The maximum width, in cells. Without it, lines are not broken. */
  readonly width: number | undefined
  readonly color: boolean
}

type AnyProperties = HealthEvent.Properties<ApiVersion.ApiVersion>
type Lines = ReadonlyArray<string>

const labelWidth = 22
const indent = "  "

const inSections: ReadonlySet<string> = new Set(
  (
    "additionalInformation article description eventLevel eventSubType eventType faqs impact impactMitigationTime " +
    "impactStartTime lastUpdateTime level links recommendedActions status summary title"
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
  return typeof value === "string" ? value : jsonText(value)
}

const valueOf = (name: string, value: unknown): string => {
  if (!hasValue(value)) return ""
  if (name === "duration" && typeof value === "number" && value > 0) return Duration.format(Duration.seconds(value))
  return name === "priority" ? `${plain(value)} (0 is the highest, 23 the lowest)` : plain(value)
}

const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.isSome(Timestamp.instant(timestamp)) ? `${Labels.minute(timestamp)} UTC` : ""

const factsOf = (event: HealthEvent.AnyEvent): ReadonlyArray<readonly [string, string]> => {
  const { name: _name, properties, type: _type, ...identity } = event
  const others = Object.entries(properties ?? {}).filter(([name]) => !inSections.has(name))
  const { impactMitigationTime, impactStartTime, lastUpdateTime } = properties ?? {}
  const isOngoing = hasValue(impactStartTime) && !HealthEvent.isResolved(event)
  const ended = time(impactMitigationTime) || (isOngoing ? "not yet" : "")
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["Impact start", time(impactStartTime)],
    ["Impact end", ended],
    ["Last update", time(lastUpdateTime)],
    ...[...others, ...Object.entries(identity)].map(([name, value]) => [labelOf(name), valueOf(name, value)] as const),
  ]
  return facts.filter(([, text]) => text !== "")
}

const fact = ([label, value]: readonly [string, string], { width }: Options): Lines => {
  const name = TerminalText.line(label)
  const [first = "", ...rest] = Wrap.lines(value.replaceAll(/\s+/g, " "), width, " ".repeat(labelWidth))
  return name.length < labelWidth
    ? [name.padEnd(labelWidth) + first.trimStart(), ...rest]
    : [...Wrap.lines(name, width), first, ...rest]
}

const heading = (text: string, { color, width }: Options): Lines =>
  Wrap.lines(text.replaceAll(/\s+/g, " "), width).map((line) => TerminalText.paint(line, color ? "bold" : undefined))

const section = (title: string, lines: Lines, options: Options): Lines =>
  lines.length === 0 ? [] : ["", ...heading(title, options), ...lines]

const text = (html: string | null | undefined, { width }: Options, prefix = indent): Lines =>
  hasValue(html) ? Wrap.lines(PlainHtml.text(html ?? ""), width, prefix) : []

const item = (line: string, { width }: Options): Lines => Wrap.lines(`- ${line}`, width, indent)

const actions = ({ recommendedActions }: AnyProperties, options: Options): Lines => [
  ...text(recommendedActions?.message, options),
  ...(recommendedActions?.actions ?? []).flatMap(({ actionText }) =>
    hasValue(actionText) ? item(PlainHtml.text(actionText ?? ""), options) : [],
  ),
]

const faqs = ({ faqs }: AnyProperties, options: Options): Lines =>
  (faqs ?? []).flatMap(({ answer, question }) => [
    ...text(question, options),
    ...text(answer, options, indent.repeat(2)),
  ])

const links = ({ links }: AnyProperties, options: Options): Lines =>
  (links ?? []).flatMap(({ bladeName, displayText, extensionName, parameters }) => {
    const label = displayText?.localizedValue || displayText?.value || bladeName || "Link"
    const place = [bladeName, extensionName].filter(hasValue).join(" of ")
    const details = [place, pairs(parameters, "=")].filter((part) => part !== "").join("; ")
    return item(details === "" ? label : `${label} (${details})`, options)
  })

const article = ({ article }: AnyProperties, options: Options): Lines => {
  const parameters = pairs(article?.parameters, "=")
  return [
    ...text(article?.articleContent, options),
    ...(parameters === "" ? [] : text(`Parameters: ${parameters}`, options)),
  ]
}

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
  const properties: AnyProperties = event.properties ?? {}
  const { additionalInformation, description, impact, summary, title } = properties
  return [
    ...heading(title || "An event without a title", options),
    ...kind(event, options),
    "",
    ...factsOf(event).flatMap((one) => fact(one, options)),
    ...section("Withheld", withheld(event, options), options),
    ...section("Summary", text(summary, options), options),
    ...section("Description", text(description, options), options),
    ...section("Additional information", text(additionalInformation?.message, options), options),
    ...section("Impact", ImpactText.lines(impact ?? [], options), options),
    ...section("Recommended actions", actions(properties, options), options),
    ...section("Questions", faqs(properties, options), options),
    ...section("Links", links(properties, options), options),
    ...section(["Article", properties.article?.articleId ?? ""].join(" "), article(properties, options), options),
  ]
}
