/** Why a resource does not work, as one screen of text and as JSON. */
import * as Limits from "@vigil/health-schema/Limits"
import * as Moment from "@vigil/health-text/Moment"
import { enumerate } from "@vigil/health-text/Sentence"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import type { Evidence } from "@vigil/health-verdict/Evidence"
import { type Explanation, isOngoing, isUnchecked } from "@vigil/health-verdict/Explanation"
import * as Answer from "./internal/answer.js"
import * as Impact from "./internal/impact.js"
import { type Layout, type Lines, fact, heading, indent, section } from "./internal/lines.js"
import * as StatusFacts from "./internal/statusFacts.js"

/** An event to show. @category models @since 0.3.0 */
export interface ShownEvent {
  readonly trackingId: string
  readonly list: "resource" | "subscription" | "tenant"
  /** One that it impacts, if it names any. */
  readonly service: string | undefined
  /** How many days ago it was updated, at least 90. */
  readonly days: number
}

/** How an explanation is printed. @category models @since 0.2.0 */
export interface Options extends Layout {
  /** The command that shows an event of a list. `days`: how many days the list must go back. */
  readonly showEvent: (event: ShownEvent) => string
  /** The command that shows the history of the resource. */
  readonly showResource: string
  /** The name of the subscription, or its ID. */
  readonly subscription: string
}

/** Returns the answer in one line. It never says that nothing is known if anything was not read. @category conversions @since 0.2.0 */
export const headline = (explanation: Explanation): string => Answer.text(explanation)

/** The event that explains it, or may do so. */
const eventOf = ({ because, suspect }: Explanation): string | undefined => {
  const { cause, trackingId } = because ?? suspect ?? {}
  return cause !== "customer" && StatusFacts.isShellSafe(trackingId ?? "") ? trackingId : undefined
}

const day = 86_400_000

const lists = ["subscription", "resource", "tenant"] as const

/** The command that shows the event, if a list has it. Emerging issues have no command. */
const eventCommand = (explanation: Explanation, showEvent: Options["showEvent"]): string | undefined => {
  const { because, now, suspect } = explanation
  const { services: [service] = [], sources = [], updated = now } = because ?? suspect ?? {}
  const trackingId = eventOf(explanation)
  const list = lists.find((one) => sources.includes(`events of the ${one}`))
  const days = Math.max(Limits.activeDaysBack, Math.ceil((now - updated) / day) + 1)
  return trackingId === undefined || list === undefined ? undefined : showEvent({ trackingId, list, service, days })
}

const findWho = "find who changed the resource, such as in its activity log"

/** One step for each line, so that a command can be copied. */
const next = (explanation: Explanation, showEvent: Options["showEvent"]): Lines => {
  const { ownAction, status, unread, verdict } = explanation
  if (verdict === "customer") return [findWho]
  if (verdict === "none") return ["check the resource: application, configuration and network"]
  const canRead = !unread.every(isUnchecked)
  const repeat = canRead && verdict === "unknown" ? "see Not read below, and run the command again" : undefined
  const find = ownAction === undefined ? undefined : findWho
  const steps = [eventCommand(explanation, showEvent), repeat, find].filter((step) => step !== undefined)
  return steps.length === 0 ? [contact(status)] : steps
}

const contact = (status: Explanation["status"]): string =>
  StatusFacts.actions(status).length > 0
    ? "see Recommended actions below"
    : "run the command again in some minutes, then ask the support of the service"

/** The number of pieces of evidence that fit on a screen. */
const maxEvidence = 6

const evidenceLines = ({ because, evidence, now, suspect }: Explanation, { width }: Layout): Lines => {
  const isDecisive = (one: Evidence) => one === (because ?? suspect)
  const shown = evidence
    .filter(({ subject }) => subject !== "other")
    .toSorted((one, other) => Number(isDecisive(other)) - Number(isDecisive(one)))
    .slice(0, maxEvidence)
  const count = evidence.length - shown.length
  const more = `- ${count} more, such as events of other resources: --output json shows all`
  const linesOf = (one: Evidence) => {
    const updated = one.updated === undefined ? [] : [`updated ${Moment.age(one.updated, now)}`]
    const origin = [...(one.trackingId ? [one.trackingId] : []), ...one.sources, ...updated].join(", ")
    const impact = one.subject === "resource" ? "" : `${Impact.text(one).split(":")[0]}. `
    return [
      ...Wrap.lines(`- ${one.cause}: ${isDecisive(one) ? "as above" : Answer.what(one, now)}`, width, indent),
      ...Wrap.lines(`${impact}${origin}`, width, indent.repeat(2)),
    ]
  }
  return [...shown.flatMap(linesOf), ...(count > 0 ? Wrap.lines(more, width, indent) : [])]
}

const periodOf = ({ from, notCovered, now }: Explanation): string => {
  const missing = notCovered.map((source) => `the ${source}`)
  const without = missing.length === 0 ? "" : ` Without ${enumerate(missing)}.`
  return `Events updated from ${StatusFacts.minute(from)} to ${StatusFacts.minute(now)}, and the history of the last 24 hours.${without}`
}

const isCommand = ([, text]: readonly [string, string]): boolean => text.startsWith("vigil ")

/** Returns the screen: the answer, the status, the evidence, and what was not read. Safe for a terminal. @category rendering @since 0.2.0 */
export const lines = (explanation: Explanation, options: Options): Lines => {
  const { because, now, resource, status, suspect, unread } = explanation
  const list = (texts: ReadonlyArray<string>) => texts.flatMap((text) => Wrap.lines(`- ${text}`, options.width, indent))
  const notRead = unread.map(({ problem, source }) => `${source}: ${TerminalText.line(problem)}`)
  const found = because ?? suspect
  // The heading cuts a long title, so that it differs.
  const isSaid = (text: string) => found !== undefined && StatusFacts.bare(text) === Answer.titleOf(found)
  const facts: ReadonlyArray<readonly [string, string]> = [
    ...next(explanation, options.showEvent).map((step, index) =>
      index === 0 ? (["Next", step] as const) : (["", `or ${step}`] as const),
    ),
    // The impact is that of an event, which an action of the owner is not.
    ...(found === undefined || found.cause === "customer" ? [] : ([["Impact", Impact.text(found)]] as const)),
    ...StatusFacts.facts(resource, status, now).filter(([, text]) => !isSaid(text)),
    ["Subscription", TerminalText.line(options.subscription)],
    ["Earlier states", options.showResource],
  ]
  return [
    ...heading(headline(explanation), options),
    "",
    // Commands are copied, so they are not broken.
    ...facts.flatMap((one) => fact(one, isCommand(one) ? { ...options, width: undefined } : options)),
    ...section("Not read", list(notRead), options),
    ...section("Recommended actions", list(StatusFacts.actions(status)), options),
    ...section("Evidence", evidenceLines(explanation, options), options),
    "",
    ...Wrap.lines(periodOf(explanation), options.width),
  ]
}

const iso = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString())

const evidenceJson = (one: Evidence) => ({
  ...one,
  since: iso(one.since),
  until: iso(one.until),
  updated: iso(one.updated),
})

/** Returns the same facts for programs. Times are in ISO 8601, and `status` is as the service sent it. @category conversions @since 0.2.0 */
export const toJson = (explanation: Explanation) => {
  const { evidence, from, notCovered, now, resource, status, suspect, unread, verdict } = explanation
  return {
    resource,
    verdict,
    answer: headline(explanation),
    isOngoing: isOngoing(explanation),
    trackingId: eventOf(explanation),
    suspect: suspect && evidenceJson(suspect),
    asOf: iso(now),
    period: { from: iso(from), to: iso(now) },
    status,
    evidence: evidence.map(evidenceJson),
    unread,
    notCovered,
  }
}
