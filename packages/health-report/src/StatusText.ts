/** The status of a resource with its history and the resources in it, as one screen of text. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Moment from "@vigil/health-text/Moment"
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import type { Assessment } from "@vigil/health-verdict/Assessment"
import type { Reading } from "@vigil/health-verdict/Evidence"
import { type Layout, type Lines, fact, heading, indent, section } from "./internal/lines.js"
import * as StatusFacts from "./internal/statusFacts.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** What was read about a resource. @category models @since 0.2.0 */
export interface Known {
  /** The ID of the resource. */
  readonly resource: string
  readonly current: Status
  readonly history: Reading<Status>
  /** The current status of each resource in it. */
  readonly children: Reading<Status>
  /** In milliseconds since 1970. */
  readonly now: number
}

/** How a status is printed. @category models @since 0.2.0 */
export interface Options extends Layout {
  /** The command that shows an event, by its tracking ID. */
  readonly showEvent: (trackingId: string) => string
}

/** More entries of a list are counted. */
const maxEntries = 20

/** `Unavailable since 10 Mar 2026, 12:00 UTC (Unplanned): summary`. */
const describe = (status: Status): string => {
  const since = Moment.parse(status.properties?.occuredTime)
  const reason = StatusFacts.reason(status)
  const summary = StatusFacts.plain(status.properties?.summary, 200)
  return [
    StatusFacts.state(status),
    since === undefined ? "" : ` since ${StatusFacts.minute(since)}`,
    reason && ` (${reason})`,
    summary && `: ${summary}`,
  ].join("")
}

const problems = (name: string, { invalid, problem }: Reading<Status>): ReadonlyArray<string> => [
  ...(problem === undefined ? [] : [`${name}: ${TerminalText.line(problem)}`]),
  ...(invalid === 0 ? [] : [`${name}: ${invalid} invalid ${invalid === 1 ? "entry" : "entries"}`]),
]

/** Returns the screen: the current status, recommended actions, the history, and the resources in it. Safe for a terminal. @category rendering @since 0.2.0 */
export const lines = ({ children, current, history, now, resource }: Known, options: Options): Lines => {
  const list = (texts: ReadonlyArray<string>) =>
    [
      ...texts.slice(0, maxEntries),
      ...(texts.length > maxEntries ? [`${texts.length - maxEntries} more`] : []),
    ].flatMap((text) => Wrap.lines(`- ${TerminalText.line(text)}`, options.width, indent))
  const trackingId = current.properties?.healthEventId ?? ""
  const childName = (status: Status) => SafeText.cut(ResourceId.name(AvailabilityStatus.resourceId(status)) ?? "", 200)
  return [
    ...heading(`${TerminalText.line(ResourceId.name(resource) ?? resource)}: ${StatusFacts.state(current)}`, options),
    "",
    ...StatusFacts.facts(resource, current, now).flatMap((one) => fact(one, options)),
    ...(StatusFacts.isShellSafe(trackingId)
      ? fact(["Event", options.showEvent(trackingId)], { ...options, width: undefined })
      : []),
    ...section("Recommended actions", list(StatusFacts.actions(current)), options),
    ...section("History", list(history.items.map(describe)), options),
    ...section(
      "Resources in it",
      list(children.items.map((status) => `${childName(status)}: ${describe(status)}`)),
      options,
    ),
    ...section("Not read", list([...problems("history", history), ...problems("resources in it", children)]), options),
  ]
}

/**
 * Returns why a resource is in its state, in one line: the title of the event, or what the status says. Empty if nothing explains it.
 * @category conversions @since 0.3.0
 */
export const why = ({ evidence }: Pick<Assessment, "evidence">): string =>
  evidence === undefined ? "" : StatusFacts.bare(StatusFacts.plain(evidence.title, 200))
