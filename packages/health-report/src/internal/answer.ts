/** The answer of an explanation in one line: cause, title, age, reach, state, and what could not be read. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Moment from "@vigil/health-text/Moment"
import { enumerate, enumerateSome, plural } from "@vigil/health-text/Sentence"
import type { Evidence } from "@vigil/health-verdict/Evidence"
import { type Explanation, isUnchecked } from "@vigil/health-verdict/Explanation"
import * as StatusFacts from "./statusFacts.js"

export const titleOf = ({ title }: Pick<Evidence, "title">): string => StatusFacts.bare(StatusFacts.plain(title, 200))

/** An issue may be older than the state of the resource. */
const isIssue = ({ cause, sources: [first], until }: Evidence): boolean =>
  cause === "platform" && until === undefined && /^event|^emerging/.test(first ?? "")

/** When: `for 2 h`, `event began 2 h ago`, `ended 5 min ago`, `last reported 3 d ago` or `starts in 3 d`. Not `since 2 h`, which may be a time of day. */
const when = (evidence: Evidence, now: number): string => {
  const { cause, phase, since, until, updated } = evidence
  if (phase === "ended") return until === undefined ? "ended" : `ended ${Moment.age(until, now)}`
  if (phase === "upcoming") return since === undefined ? "scheduled" : `starts ${Moment.age(since, now)}`
  if (phase === "stale") {
    if (since !== undefined && since > now) return `said to start ${Moment.age(since, now)}`
    return updated === undefined ? "reported long ago" : `last reported ${Moment.age(updated, now)}`
  }
  // "Action is needed, now" would be about the action.
  const undated = cause === "notice" ? "active now" : "now"
  if (since !== undefined && since <= now && isIssue(evidence)) return `event began ${Moment.age(since, now)}`
  const start =
    since === undefined ? undated : since > now ? `starts ${Moment.age(since, now)}` : `for ${Moment.span(now - since)}`
  return until === undefined ? start : `${start}, until ${Moment.minute(until)} UTC`
}

/** The title and the time. */
export const what = (one: Evidence, now: number): string => `${titleOf(one)}, ${when(one, now)}`

const named = (names: ReadonlyArray<string>): string => enumerateSome(names.map((name) => StatusFacts.plain(name, 60)))

const place = ({ regions, services }: Evidence): string =>
  [regions.length > 0 ? `in ${named(regions)}` : "", services.length > 0 ? `for ${named(services)}` : ""]
    .filter(Boolean)
    .join(" ")

const isOfStatus = ({ sources }: Evidence): boolean => sources.includes("current status") || sources.includes("history")

/** Why it is only possible, or whom it names instead. */
const reach = (evidence: Evidence): string => {
  const { impactedResources = 0, phase, sources, subject, trackingId } = evidence
  const is = phase === "ended" ? "It was active" : phase === "stale" ? "It was said" : "It is active"
  const where = [is, place(evidence)].filter(Boolean).join(" ")
  if (subject === "parent") return ` It names what contains the resource.`
  if (subject === "part") return ` It is about a resource in it.`
  if (subject === "service") {
    if (sources.includes("resources in it"))
      return ` The status of a resource in it names it as an incident ${place(evidence)}.`
    return isOfStatus(evidence)
      ? ` The status names it as an incident ${place(evidence)}.`
      : ` ${where}, and names no resources.`
  }
  if (subject === "peers") return ` ${where}, and names ${plural(impactedResources, "other resource")}.`
  if (subject !== "region") return ""
  return place(evidence) === "" && trackingId !== undefined && sources.includes("current status")
    ? " The status names this event, and no list that was read has it."
    : ` ${where}, and may concern the resource.`
}

const subjects = {
  platform: "The platform",
  maintenance: "Planned maintenance",
  customer: "Your own action",
  notice: "A notice",
} as const

/** `The platform: title`, without the subject twice. */
const caused = (cause: keyof typeof subjects, title: string): string => {
  const subject = subjects[cause]
  return title.toLowerCase().startsWith(`${subject.toLowerCase()}:`) ? title : `${subject}: ${title}`
}

/** The state says when it was checked. */
const gaps = ({ unread }: Explanation): string => {
  const sources = [...new Set(unread.flatMap((one) => (isUnchecked(one) ? [] : [`the ${one.source}`])))]
  return sources.length === 0 ? "" : ` Not read completely: ${enumerate(sources)}.`
}

const stateOf = ({ because, now, status }: Explanation): string => {
  if (status === undefined) return ""
  const isContrary = because?.phase === "now" && AvailabilityStatus.isAvailable(status)
  return ` ${isContrary ? "But the status says" : "The resource is"} ${StatusFacts.checkedState(status, now)}.`
}

/** What the status says, if it does not agree with the verdict: an operator must not wait for the platform to start what its owner stopped. */
const contrast = (explanation: Explanation): string => {
  const { because, ownAction, suspect } = explanation
  if (ownAction === undefined || (because ?? suspect)?.cause === "customer") return stateOf(explanation)
  return `${stateOf(explanation)} But the status of the resource says: ${titleOf(ownAction)}.`
}

/** What does not explain the state, and is good to know: what may concern it, too, what is to come, and notices that name the resource. */
const remarks = ({ evidence, now, verdict }: Explanation): string => {
  const relevant = evidence.filter(({ subject }) => subject !== "other")
  const also =
    verdict === "customer"
      ? relevant.find(({ cause, phase }) => cause !== "customer" && cause !== "notice" && phase === "now")
      : undefined
  const next = relevant.find(({ phase }) => phase === "upcoming")
  const notice = relevant.find(({ cause, phase }) => cause === "notice" && phase === "now")
  return (
    [
      also && ` It may not be alone: ${what(also, now)}.`,
      next && ` To come: ${what(next, now)}.`,
      notice && ` It is named by: ${what(notice, now)}.`,
    ].find((text) => text !== undefined) ?? ""
  )
}

const none = (explanation: Explanation): string => {
  const { evidence, now, status } = explanation
  const others = evidence.filter(({ subject }) => subject === "other").length
  const more = ` ${plural(others, "active event")} of the region ${others === 1 ? "does" : "do"} not name it.`
  const state = `the resource is ${StatusFacts.checkedState(status, now)}, and no known event affects it now.`
  return `Nothing known explains it: ${state}${others === 0 ? "" : more}${remarks(explanation)}`
}

const unknown = (explanation: Explanation): string => {
  const { now, status, suspect } = explanation
  if (suspect !== undefined) {
    const possible = `Perhaps ${caused(suspect.cause, what(suspect, now)).replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`
    return `Unknown. ${possible}.${reach(suspect)}${contrast(explanation)}${gaps(explanation)}`
  }
  const isDown = status !== undefined && !AvailabilityStatus.isAvailable(status)
  const silence = isDown
    ? ` The state is ${StatusFacts.checkedState(status, now)}, and nothing says why.`
    : stateOf(explanation)
  return `Unknown.${silence}${gaps(explanation)}${remarks(explanation)}`
}

export const text = (explanation: Explanation): string => {
  const { because, now, verdict } = explanation
  if (verdict === "none") return none(explanation)
  if (verdict === "unknown") return unknown(explanation)
  return `${caused(verdict, what(because, now))}.${reach(because)}${contrast(explanation)}${gaps(explanation)}${verdict === "customer" ? remarks(explanation) : ""}`
}
