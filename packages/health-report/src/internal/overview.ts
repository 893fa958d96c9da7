/** The head of the report: the current state. With resources, they come first, then what hits them, then the rest of the cloud. */
import * as Moment from "@vigil/health-text/Moment"
import { plural } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as Assessment from "@vigil/health-verdict/Assessment"
import type { FailedList } from "@vigil/health-verdict/Evidence"
import * as ResourceStates from "../ResourceStates.js"
import * as Verdict from "../Verdict.js"
import { type Html, html, nothing, time } from "./html.js"
import * as Issues from "./issues.js"
import type { Item } from "./items.js"
import { severityOf } from "./resources.js"
import type { Subject } from "./subject.js"
import { brief } from "./whose.js"
import * as Yours from "./yours.js"

/** The sentence above counts the others. */
const maxFailed = 5

const failure = ({ problem, readAt, source }: FailedList): Html =>
  html`<p class="quiet">
    ${brief(source)}: ${brief(problem)}
    ${readAt === undefined ? nothing : html`What is shown of it is of ${time(readAt)} UTC.`}
  </p>`

const failuresOf = ({ failed, resources }: Subject): ReadonlyArray<FailedList> => [
  ...failed,
  ...(resources?.failed ?? []),
]

/** What could not be read, in a sentence. Since when what is shown is old, if nothing is missing. */
const doubtOf = (subject: Subject): string => {
  const { resources, verdict } = subject
  const failed = failuresOf(subject)
  const lists = failed.map(({ source }) => brief(source).replace(/^(Resources of )?Subscription (?=\S)/, "$1"))
  // The resources of a subscription that failed are not named again.
  const repeated = new Set(lists.map((name) => `Resources of ${name}`))
  const names = lists.filter((name) => !repeated.has(name))
  const invalid = verdict.invalid + (resources?.invalid ?? 0)
  const text = Verdict.doubt({ ...verdict, failed: names, invalid })
  const times = failed.flatMap(({ readAt }) => readAt ?? [])
  return times.length === 0 || times.length < failed.length
    ? text
    : `Some of this is of ${Moment.minute(Math.min(...times))} UTC. ${text}`
}

const doubts = (subject: Subject): Html => {
  const text = doubtOf(subject)
  return text === "" ? nothing : html`<p class="doubt">${text}</p>`
}

const failures = (subject: Subject): Html => {
  const failed = failuresOf(subject)
  return failed.length === 0
    ? nothing
    : html`<details>
        <summary><span class="name">Failed lists</span></summary>
        ${failed.slice(0, maxFailed).map(failure)}
      </details>`
}

const noticesText = ({ verdict: { notices } }: Subject): Html =>
  notices === 0
    ? nothing
    : html`<p class="quiet">
        <a class="plain" href="#notices">${plural(notices, "notice")}</a> of maintenance, advice or billing
        ${notices === 1 ? "is" : "are"} active.
      </p>`

const isIssue = ({ isActive, isNotice }: Item): boolean => isActive && !isNotice

/** The worst of what is one's own. A doubt is a warning. What only an owner stopped needs no attention. */
const worstOf = (subject: Subject): Severity.Severity => {
  const { hits, items, resources } = subject
  const affected = resources?.affected.filter(({ verdict }) => verdict !== "customer") ?? []
  const down = affected.map((one) => (severityOf(one) === "Other" ? "Warning" : severityOf(one)))
  const issues = (resources === undefined ? items : [...hits.keys()]).filter(isIssue)
  const doubt = doubtOf(subject) === "" ? [] : ["Warning" as const]
  return Severity.worst([...down, ...issues.map(({ severity }) => severity), ...doubt])
}

const issues = { anchor: "issues", most: 5 }

/** The issues that hit no resource, folded. */
const rest = (subject: Subject): Html => {
  const others = subject.items.filter((item) => isIssue(item) && !subject.hits.has(item))
  return html`<details>
    <summary>
      <span class="name">The rest of the cloud</span>
      <span class="quiet"
        >${others.length === 0 ? "no active issue" : plural(others.length, "active issue")} elsewhere</span
      >
    </summary>
    ${Issues.list(others, issues)} ${noticesText(subject)}
  </details>`
}

const state = (subject: Subject): Html => {
  const { items, resources, verdict } = subject
  return html`<div class="card state ${worstOf(subject)}">
    <div class="verdict">
      <p>${resources === undefined ? Verdict.headline(verdict) : Yours.headline(resources)}</p>
      ${doubts(subject)}
    </div>
    ${
      resources === undefined
        ? html`${Issues.list(items.filter(isIssue), issues)}${noticesText(subject)}`
        : html`${Yours.lists(subject, resources)}${rest(subject)}`
    }${failures(subject)}
  </div>`
}

/** For the tab: what is wrong, in a few words, with the numbers of the heading. */
export const title = (subject: Subject): string => {
  const { hits, resources, verdict } = subject
  const { affected = [], down = 0, stopped = 0 } = resources ?? {}
  const isDown = affected.every((one) => one.state === "Available" || severityOf(one) !== "Other")
  const issues = resources === undefined ? verdict.issues : [...hits.keys()].filter(isIssue).length
  const possible = affected.filter(Assessment.isAffected).length
  const problem =
    (down > 0 && `${down} ${isDown ? "down" : "not available"}`) ||
    (possible > 0 && `${possible} affected`) ||
    (issues > 0 && plural(issues, "issue")) ||
    (doubtOf(subject) !== "" && "Not known")
  const own = stopped > 0 && `${stopped} stopped ${ResourceStates.byOwners(stopped)}`
  const found = [problem, own].filter((text) => text !== false)
  if (found.length > 0) return found.join(", ")
  if (verdict.isFiltered) return "No issue selected"
  if (resources === undefined) return "No issue"
  return resources.all.length === 0 ? "No resources" : "All available"
}

export const section = (subject: Subject, note: Html): Html => {
  const { from, now } = subject.period
  return html`<header>
    <h1>Service health</h1>
    <p class="of" title="${subject.source}">${subject.whose.all}</p>
    <p class="quiet">
      As of ${time(now)} UTC, with ${plural(subject.items.length, "event")} since ${time(from, Moment.date)}.
    </p>
    ${note}${state(subject)}
  </header>`
}
