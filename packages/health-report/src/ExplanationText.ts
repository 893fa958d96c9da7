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
const doubts = (explanation: Explanation): string => {
  const { because, status, unread } = explanation
  const sources = [...new Set(unread.map(({ source }) => source))]
  return [
    because === undefined
      ? ""
      : because.cause === "customer"
        ? `Your own action may explain it: ${titleOf(because)}.`
        : `An active event in the region may affect the resource: ${titleOf(because)}.`,
    because === undefined && status !== undefined && !AvailabilityStatus.isAvailable(status)
      ? `The state is ${StatusFacts.state(explanation.status)}, and nothing says why.`
      : "",
    sources.length === 0 ? "" : `Could not read all of ${enumerate(sources.map((source) => `the ${source}`))}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}

/** What the status says, if it does not agree with the verdict: an operator must not wait for the platform to start what its owner stopped. */
const contrast = (explanation: Explanation): string => {
  const { evidence, status } = explanation
  if (status !== undefined && AvailabilityStatus.isAvailable(status))
    return ` The resource is ${StatusFacts.state(explanation.status)}.`
  const own = evidence.find(({ cause, phase }) => cause === "customer" && phase === "now")
  return own === undefined ? "" : ` But the status of the resource says: ${titleOf(own)}.`
}

/** Returns the answer in one line. It never says that nothing is known if anything was not read. @category conversions @since 0.2.0 */
export const headline = (explanation: Explanation): string => {
  const { because, evidence, now, verdict } = explanation
  if (verdict === "unknown") return `Unknown: ${doubts(explanation)}`
  if (verdict === "none" || because === undefined) {
    const others = evidence.filter(({ about }) => about === "other").length
    const more =
      others === 0
        ? ""
        : ` ${plural(others, "active event")} of the region ${others === 1 ? "does" : "do"} not name it.`
    return `Nothing known explains it: the resource is ${StatusFacts.state(explanation.status)}, and no known event affects it now.${more}`
  }
  const near = because.about === "service" ? " The event concerns its service and region, and lists no resources." : ""
  const [subject, title] = [subjects[verdict], titleOf(because)]
  const cause = title.toLowerCase().startsWith(`${subject.toLowerCase()}:`) ? title : `${subject}: ${title}`
  return `${cause}, ${when(because, now)}.${near}${verdict === "customer" ? "" : contrast(explanation)}`
}

/** The event that explains it, or may do so: an ID that a shell leaves as it is. */
const eventOf = ({ because, evidence, verdict }: Explanation): string | undefined => {
  if (verdict === "none" || verdict === "customer") return undefined
  const own = evidence.filter(
    ({ about, cause, phase }) => about === "resource" && cause !== "notice" && phase !== "upcoming",
  )
  return [because, ...own].find((one) => /^[\w-]+$/.test(one?.trackingId ?? ""))?.trackingId
}

const next = (explanation: Explanation, showEvent: Options["showEvent"]): string => {
  const { because, unread, verdict } = explanation
  if (because === undefined && unread.length > 0) return "see Not read below, and run the command again"
  const trackingId = eventOf(explanation)
  if (trackingId !== undefined) return showEvent(trackingId)
  return verdict === "customer"
    ? "find who changed the resource, such as in its activity log"
    : "check the resource: application, configuration and network"
}

const about = {
  resource: "",
  service: ", service and region",
  uncertain: ", perhaps",
  other: ", other resources",
} as const

/** So many fit on a screen. */
const maxEvidence = 6

const evidenceLines = ({ evidence, now, verdict }: Explanation, { width }: Layout): Lines => {
  // Without another explanation, a notice that names the resource may help.
  const isShown = ({ about, cause }: Evidence) => about !== "other" && (cause !== "notice" || verdict === "none")
  const shown = evidence.filter(isShown).slice(0, maxEvidence)
  const more = evidence.length - shown.length
  return [
    ...shown.flatMap((one) => [
      ...Wrap.lines(`- ${one.cause}${about[one.about]}: ${titleOf(one)}, ${when(one, now)}`, width, indent),
      ...Wrap.lines(
        [one.trackingId, ...one.sources, one.updated && `updated ${Moment.span(now - one.updated)} ago`]
          .filter(Boolean)
          .join(", "),
        width,
        indent.repeat(2),
      ),
    ]),
    ...(more > 0
      ? Wrap.lines(
          `- ${more} more, such as notices and events of other resources: --output json shows all`,
          width,
          indent,
        )
      : []),
  ]
}

/** Returns the screen: the answer, the status, the evidence, and what was not read. Safe for a terminal. @category rendering @since 0.2.0 */
export const lines = (explanation: Explanation, options: Options): Lines => {
  const { from, now, resource, status, unread } = explanation
  const list = (texts: ReadonlyArray<string>) => texts.flatMap((text) => Wrap.lines(`- ${text}`, options.width, indent))
  return [
    ...heading(headline(explanation), options),
    "",
    ...fact(["Next", next(explanation, options.showEvent)], options),
    ...StatusFacts.facts(resource, status, now).flatMap((one) => fact(one, options)),
    ...section(
      "Not read",
      list(unread.map(({ problem, source }) => `${source}: ${TerminalText.line(problem)}`)),
      options,
    ),
    ...section("Recommended actions", list(StatusFacts.actions(status)), options),
    ...section("Evidence", evidenceLines(explanation, options), options),
    "",
    ...Wrap.lines(
      `Events updated from ${StatusFacts.minute(from)} to ${StatusFacts.minute(now)}. History of the last 24 hours.`,
      options.width,
    ),
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
