/** What `vigil status` knows, and its answer in one line: first what is wrong, then how sure that is. */
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import type { Picture } from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Summary from "@vigil/health-verdict/Summary"
import type { SubscriptionNames } from "../settings/SubscriptionNames.js"

/** A list that could not be read completely, and why. */
export interface Unread {
  readonly list: string
  readonly problem: string
}

export interface Answer {
  readonly summary: Summary.Summary
  readonly picture: Picture
  readonly names: SubscriptionNames
  readonly unread: ReadonlyArray<Unread>
}

const nameOf = (subject: Subject.Subject, { label }: SubscriptionNames): string =>
  Subject.isSubscription(subject) ? label(subject) : Subject.label(subject)

/** Of an event. */
export const ownersOf = ({ subjects }: Summary.Issue, { names }: Answer): string =>
  enumerateSome(subjects.map((subject) => nameOf(subject, names)))

/** The resources of a subscription are not named again if they have the problem of its events. */
const unreadOf = (picture: Picture, names: SubscriptionNames): ReadonlyArray<Unread> => {
  const events = Coverage.gaps(picture).flatMap(({ kind, problem, subject }) =>
    kind === "left out" ? [] : [{ subject, list: nameOf(subject, names), problem }],
  )
  const resources = picture.statuses.flatMap(({ invalid, problem, subject }) => {
    const reason = problem ?? `${plural(invalid.length, "entry", "entries")} could not be read`
    const isSaid = events.some((one) => one.subject === subject && one.problem === problem)
    const isComplete = problem === undefined && invalid.length === 0
    return isSaid || isComplete ? [] : [{ list: `the resources of ${names.label(subject)}`, problem: reason }]
  })
  const impacted = ImpactedLists.failures(picture.impacted).map(({ problem, source }) => ({
    list: source.replace(/^The/, "the"),
    problem,
  }))
  return [...events, ...resources, ...impacted].map(({ list, problem }) => ({ list, problem }))
}

export const make = (picture: Picture, names: SubscriptionNames): Answer => ({
  summary: Summary.make(picture),
  picture,
  names,
  unread: unreadOf(picture, names),
})

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const resources = ({ picture: { statuses }, summary: { all, causes } }: Answer): string => {
  const isRead = statuses.every(({ problem }) => problem === undefined)
  const owners = plural(statuses.length, "subscription")
  const where = isRead ? `of ${owners}` : `that ${all.length === 1 ? "was" : "were"} read`
  if (all.length === 0)
    return isRead ? `${owners} ${statuses.length === 1 ? "has" : "have"} no resources` : "no resource was read"
  if (causes.length > 0 || all.some(Assessment.isStopped)) return ResourceStates.notAvailable(all)
  return all.length === 1
    ? `the only resource ${where} is available`
    : `all ${all.length} resources ${where} are available`
}

const issues = ({ picture, summary: { issues } }: Answer): string => {
  const count = (reach: Summary.Issue["reach"]) => issues.filter((one) => one.reach === reach).length
  const [hits, may, elsewhere] = [count("hits"), count("may hit"), count("elsewhere")]
  if (hits > 0) {
    const others = may > 0 ? `, and ${may} more may` : ""
    return `${plural(hits, "active issue")} ${hits === 1 ? "hits" : "hit"} what you have${others}`
  }
  if (may > 0) return `${plural(may, "active issue")} may hit what you have`
  if (elsewhere > 0) return `${plural(elsewhere, "active issue")} ${elsewhere === 1 ? "is" : "are"} elsewhere`
  return Coverage.isComplete(picture) ? "no issue is active" : "no issue is known to be active"
}

/** What the answer is not about. */
const remark = ({ names, picture, unread }: Answer): string => {
  const gaps = Coverage.gaps(picture).map((gap) => Coverage.brief(gap, names.label))
  const others = unread.flatMap(({ list }) => (list.startsWith("the resources of ") ? [`not of ${list}`] : []))
  const all = [...gaps, ...others]
  return all.length === 0 ? "" : ` (${enumerateSome(all)})`
}

export const text = (answer: Answer): string => {
  const { picture, summary } = answer
  const { causes, issues: found, verdict } = summary
  if ([...picture.events, ...picture.statuses].every(({ problem }) => problem !== undefined))
    return "Not known whether anything is wrong: nothing could be read."
  const [ofResources, ofIssues] = [resources(answer), issues(answer)]
  const isAboutIssues = causes.length === 0 && found.some(({ reach }) => reach !== "elsewhere")
  const both = isAboutIssues ? [ofIssues, ofResources] : [ofResources, ofIssues]
  const facts = `${both.join(", and ")}${remark(answer)}.`
  if (verdict === "wrong") return `${both.map(capitalized).join(". ")}${remark(answer)}.`
  if (verdict === "fine") return `Nothing is wrong: ${facts}`
  return causes.length > 0 || summary.all.length === 0
    ? `Not known whether anything is wrong: ${facts}`
    : `Nothing is known to be wrong, but not all was read: ${facts}`
}
