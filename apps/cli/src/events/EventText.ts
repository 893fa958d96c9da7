/** One event in full, as text. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Json from "../output/Json.js"
import * as TerminalText from "../output/TerminalText.js"
import * as Wrap from "../output/Wrap.js"
import * as EventTable from "./EventTable.js"
import * as ImpactText from "./ImpactText.js"
import * as PlainHtml from "./PlainHtml.js"
import * as Severity from "./Severity.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type Properties = HealthEvent.Properties<ApiVersion.ApiVersion>

export interface Ground {
  /** In cells. Without it, lines are not broken. */
  readonly width: number | undefined
  readonly color: boolean
  /** The command that prints withheld texts. */
  readonly details?: string | undefined
}

type Lines = ReadonlyArray<string>

const labelled = 22
const indent = "  "

/** Properties with a section of their own. All others are facts. */
const placed: ReadonlySet<string> = new Set([
  "additionalInformation",
  "article",
  "description",
  "eventLevel",
  "eventSubType",
  "eventType",
  "faqs",
  "impact",
  "impactMitigationTime",
  "impactStartTime",
  "lastUpdateTime",
  "level",
  "links",
  "recommendedActions",
  "status",
  "summary",
  "title",
])

const names: Readonly<Record<string, string>> = {
  isEventSensitive: "Sensitive",
  isHIR: "High incident rate",
  hirStage: "Stage of the rate",
}

const words = (name: string): string => {
  const own = names[name]
  if (own !== undefined) return own
  const [, vendor] = /^enable(.+)Support$/.exec(name) ?? []
  if (vendor !== undefined) return `${vendor} support`
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const isTold = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)

const plain = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ")
  return typeof value === "string" ? value : Json.text(value)
}

const valueOf = (name: string, value: unknown): string => {
  if (!isTold(value)) return ""
  if (name === "duration" && typeof value === "number" && value > 0) return Duration.format(Duration.seconds(value))
  return name === "priority" ? `${plain(value)} (0 is the highest, 23 the lowest)` : plain(value)
}

const time = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Option.isSome(Timestamp.instant(timestamp)) ? `${EventTable.time(timestamp)} UTC` : ""

const factsOf = ({
  name: _name,
  properties,
  type: _type,
  ...identity
}: AnyEvent): ReadonlyArray<readonly [string, string]> => {
  const others = Object.entries(properties ?? {}).filter(([name]) => !placed.has(name))
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status } = properties ?? {}
  const goesOn = isTold(impactStartTime) && !OpenEnum.equals(status, "Resolved")
  const ended = time(impactMitigationTime) || (goesOn ? "not yet" : "")
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["Impact started", time(impactStartTime)],
    ["Impact ended", ended],
    ["Last update", time(lastUpdateTime)],
    ...[...others, ...Object.entries(identity)].map(([name, value]) => [words(name), valueOf(name, value)] as const),
  ]
  return facts.filter(([, text]) => text !== "")
}

const fact = ([label, value]: readonly [string, string], { width }: Ground): Lines => {
  const name = TerminalText.line(label)
  const [first = "", ...rest] = Wrap.lines(value.replaceAll(/\s+/g, " "), width, " ".repeat(labelled))
  return name.length < labelled
    ? [name.padEnd(labelled) + first.trimStart(), ...rest]
    : [...Wrap.lines(name, width), first, ...rest]
}

const heading = (text: string, { color, width }: Ground): Lines =>
  Wrap.lines(text.replaceAll(/\s+/g, " "), width).map((line) => TerminalText.paint(line, color ? "bold" : undefined))

const section = (title: string, lines: Lines, ground: Ground): Lines =>
  lines.length === 0 ? [] : ["", ...heading(title, ground), ...lines]

const text = (html: string | null | undefined, { width }: Ground, by = indent): Lines =>
  isTold(html) ? Wrap.lines(PlainHtml.text(html ?? ""), width, by) : []

const item = (line: string, { width }: Ground): Lines => Wrap.lines(`- ${line}`, width, indent)

const actions = ({ recommendedActions }: Properties, ground: Ground): Lines => [
  ...text(recommendedActions?.message, ground),
  ...(recommendedActions?.actions ?? []).flatMap(({ actionText }) =>
    isTold(actionText) ? item(PlainHtml.text(actionText ?? ""), ground) : [],
  ),
]

const faqs = ({ faqs }: Properties, ground: Ground): Lines =>
  (faqs ?? []).flatMap(({ answer, question }) => [...text(question, ground), ...text(answer, ground, indent.repeat(2))])

const links = ({ links }: Properties, ground: Ground): Lines =>
  (links ?? []).flatMap(({ bladeName, displayText, extensionName, parameters }) => {
    const shown = displayText?.localizedValue || displayText?.value || bladeName || "Link"
    const place = [bladeName, extensionName].filter(isTold).join(" of ")
    const told = [place, Json.pairs(parameters, "=")].filter((part) => part !== "").join("; ")
    return item(told === "" ? shown : `${shown} (${told})`, ground)
  })

const article = ({ article }: Properties, ground: Ground): Lines => {
  const parameters = Json.pairs(article?.parameters, "=")
  return [
    ...text(article?.articleContent, ground),
    ...(parameters === "" ? [] : text(`Parameters: ${parameters}`, ground)),
  ]
}

const withheld = (event: AnyEvent, { details, width }: Ground): Lines => {
  const texts = Sensitive.withheldTexts(event)
  return details === undefined || texts.length === 0
    ? []
    : Wrap.lines(
        `Of this sensitive event, a list tells no ${texts.join(", no ")}. For all of it, run ${details}`,
        width,
        indent,
      )
}

const kind = ({ name, properties }: AnyEvent, { color, width }: Ground): Lines => {
  const { eventType, status, ...more } = properties ?? {}
  const subType = "eventSubType" in more && isTold(more.eventSubType) ? ` (${plain(more.eventSubType)})` : ""
  const level = Severity.sent(properties) ?? ""
  const parts = [name, `${eventType ?? ""}${subType}`, level, status].filter(isTold)
  return Wrap.lines(parts.join(", "), width).map((line) =>
    TerminalText.paint(line, color ? EventTable.color(level) : undefined),
  )
}

/** The lines of an event, safe for a terminal. */
export const lines = (event: AnyEvent, ground: Ground): Lines => {
  const properties: Properties = event.properties ?? {}
  const { additionalInformation, description, impact, summary, title } = properties
  return [
    ...heading(title || "An event without a title", ground),
    ...kind(event, ground),
    "",
    ...factsOf(event).flatMap((one) => fact(one, ground)),
    ...section("Withheld", withheld(event, ground), ground),
    ...section("Summary", text(summary, ground), ground),
    ...section("Description", text(description, ground), ground),
    ...section("Additional information", text(additionalInformation?.message, ground), ground),
    ...section("Impact", ImpactText.lines(impact ?? [], ground), ground),
    ...section("Recommended actions", actions(properties, ground), ground),
    ...section("Questions", faqs(properties, ground), ground),
    ...section("Links", links(properties, ground), ground),
    ...section(["Article", properties.article?.articleId ?? ""].join(" "), article(properties, ground), ground),
  ]
}
