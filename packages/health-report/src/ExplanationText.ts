/** Why a resource does not work, as one screen of text and as JSON. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import type { Evidence } from "./Evidence.js"
import type { Explanation } from "./Explanation.js"
import { type Layout, type Lines, fact, heading, indent, section } from "./internal/lines.js"
import * as Moment from "./internal/moment.js"
import * as StatusFacts from "./internal/statusFacts.js"

/** How an explanation is printed. @category models @since 0.2.0 */
export interface Options extends Layout {
  /** The command that shows an event, by its tracking ID. */
  readonly showEvent: (trackingId: string) => string
}

/** Services begin the titles of active events with `Active:`, which the time says as well. */
const titleOf = ({ title }: Evidence): string =>
  StatusFacts.plain(title, 200)
    .replace(/^active:\s+(?=\S)/i, "")
    .replace(/[.:]$/, "")

/** When: `for 2 h`, `ended 5 min ago` or `starts in 3 d`. Not `since 2 h`, which may be a time of day. */
const when = ({ phase, since, until }: Evidence, now: number): string => {
  if (phase === "ended") return until === undefined ? "ended" : `ended ${Moment.span(now - until)} ago`
  if (phase === "upcoming") return `starts in ${Moment.span((since ?? now) - now)}`
  const start = since === undefined ? "now" : `for ${Moment.span(now - since)}`
  return until === undefined ? start : `${start}, until ${Moment.minute(until)} UTC`
}

const subjects = { platform: "The platform", maintenance: "Planned maintenance", customer: "Your own action" } as const

/** Why nothing is certain. */
const doubts = ({ because, status, unread }: Explanation): string => {
  const sources = [...new Set(unread.map(({ source }) => `the ${source}`))]
  const possible =
    because?.cause === "customer"
      ? "Your own action may explain it"
      : "An active event in the region may affect the resource"
  const isUnexplained = because === undefined && status !== undefined && !AvailabilityStatus.isAvailable(status)
  return [
    ...(because ? [`${possible}: ${titleOf(because)}.`] : []),
    ...(isUnexplained ? [`The state is ${StatusFacts.state(status)}, and nothing says why.`] : []),
    ...(sources.length > 0 ? [`Could not read all of ${enumerate(sources)}.`] : []),
  ].join(" ")
}

/** What the status says, if it does not agree with the verdict: an operator must not wait for the platform to start what its owner stopped. */
const contrast = ({ evidence, status }: Explanation): string => {
  if (status && AvailabilityStatus.isAvailable(status)) return ` The resource is ${StatusFacts.state(status)}.`
  const own = evidence.find(({ cause, phase }) => cause === "customer" && phase === "now")
  return own === undefined ? "" : ` But the status of the resource says: ${titleOf(own)}.`
}

/** Returns the answer in one line. It never says that nothing is known if anything was not read. @category conversions @since 0.2.0 */
export const headline = (explanation: Explanation): string => {
  const { because, evidence, now, status, verdict } = explanation
  if (verdict === "unknown") return `Unknown: ${doubts(explanation)}`
  if (verdict === "none" || because === undefined) {
    const others = evidence.filter(({ about }) => about === "other").length
    const more = ` ${plural(others, "active event")} of the region ${others === 1 ? "does" : "do"} not name it.`
    const state = `the resource is ${StatusFacts.state(status)}, and no known event affects it now.`
    return `Nothing known explains it: ${state}${others === 0 ? "" : more}`
  }
  const near = because.about === "service" ? " The event concerns its service and region, and lists no resources." : ""
  const [subject, title] = [subjects[verdict], titleOf(because)]
  const cause = title.toLowerCase().startsWith(`${subject.toLowerCase()}:`) ? title : `${subject}: ${title}`
  return `${cause}, ${when(because, now)}.${near}${verdict === "customer" ? "" : contrast(explanation)}`
}

/** The event that explains it, or may do so. */
const eventOf = ({ because }: Explanation): string | undefined =>
  because?.cause !== "customer" && StatusFacts.isShellSafe(because?.trackingId ?? "") ? because?.trackingId : undefined

const next = (explanation: Explanation, showEvent: Options["showEvent"]): string => {
  const { because, unread } = explanation
  if (because === undefined)
    return unread.length > 0
      ? "see Not read below, and run the command again"
      : "check the resource: application, configuration and network"
  if (because.cause === "customer") return "find who changed the resource, such as in its activity log"
  const trackingId = eventOf(explanation)
  return trackingId === undefined ? "see the recommended actions" : showEvent(trackingId)
}

const about = {
  resource: "",
  service: ", service and region",
  uncertain: ", perhaps",
  other: ", other resources",
} as const

/** The number of pieces of evidence that fit on a screen. */
const maxEvidence = 6

const evidenceLines = ({ evidence, now, verdict }: Explanation, { width }: Layout): Lines => {
  // Without another explanation, a notice that names the resource may help.
  const isShown = ({ about, cause }: Evidence) => about !== "other" && (cause !== "notice" || verdict === "none")
  const shown = evidence.filter(isShown).slice(0, maxEvidence)
  const count = evidence.length - shown.length
  const more = `- ${count} more, such as notices and events of other resources: --output json shows all`
  const linesOf = (one: Evidence) => {
    const updated = one.updated === undefined ? [] : [`updated ${Moment.span(now - one.updated)} ago`]
    const origin = [...(one.trackingId ? [one.trackingId] : []), ...one.sources, ...updated].join(", ")
    return [
      ...Wrap.lines(`- ${one.cause}${about[one.about]}: ${titleOf(one)}, ${when(one, now)}`, width, indent),
      ...Wrap.lines(origin, width, indent.repeat(2)),
    ]
  }
  return [...shown.flatMap(linesOf), ...(count > 0 ? Wrap.lines(more, width, indent) : [])]
}

/** Returns the screen: the answer, the status, the evidence, and what was not read. Safe for a terminal. @category rendering @since 0.2.0 */
export const lines = (explanation: Explanation, options: Options): Lines => {
  const { from, now, resource, status, unread } = explanation
  const list = (texts: ReadonlyArray<string>) => texts.flatMap((text) => Wrap.lines(`- ${text}`, options.width, indent))
  const notRead = unread.map(({ problem, source }) => `${source}: ${TerminalText.line(problem)}`)
  const period = `Events updated from ${StatusFacts.minute(from)} to ${StatusFacts.minute(now)}. History of the last 24 hours.`
  return [
    ...heading(headline(explanation), options),
    "",
    ...fact(["Next", next(explanation, options.showEvent)], options),
    ...StatusFacts.facts(resource, status, now).flatMap((one) => fact(one, options)),
    ...section("Not read", list(notRead), options),
    ...section("Recommended actions", list(StatusFacts.actions(status)), options),
    ...section("Evidence", evidenceLines(explanation, options), options),
    "",
    ...Wrap.lines(period, options.width),
  ]
}

const iso = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString())

/** Returns the same facts for programs. Times are in ISO 8601, and `status` is as the service sent it. @category conversions @since 0.2.0 */
export const toJson = (explanation: Explanation) => {
  const { because, evidence, from, now, resource, status, unread, verdict } = explanation
  return {
    resource,
    verdict,
    answer: headline(explanation),
    isOngoing: because?.phase === "now",
    trackingId: eventOf(explanation),
    asOf: iso(now),
    period: { from: iso(from), to: iso(now) },
    status,
    evidence: evidence.map((one) => ({
      ...one,
      since: iso(one.since),
      until: iso(one.until),
      updated: iso(one.updated),
    })),
    unread,
  }
}
