/** The head of the report: the current state. With resources, they come first, then what hits them, then the rest of the cloud. */
import * as Moment from "@vigil/health-text/Moment"
import { plural } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Coverage from "@vigil/health-verdict/Coverage"
import type { FailedList } from "@vigil/health-verdict/Evidence"
import * as ResourceStates from "../ResourceStates.js"
import * as EventSummary from "../EventSummary.js"
import { type Html, html, nothing, time } from "./html.js"
import * as Issues from "./issues.js"
import type { Item } from "./items.js"
import { severityOf } from "./resources.js"
import { qualifier, type Report } from "./report.js"
import { brief } from "./owners.js"
import * as ResourceOverview from "./resourceOverview.js"

/** The sentence above counts the others. */
const maxFailed = 5

const failure = ({ problem, readAt, source }: FailedList): Html =>
  html`<p class="quiet">
    ${brief(source)}: ${brief(problem)}
    ${readAt === undefined ? nothing : html`What is shown of it is of ${time(readAt)} UTC.`}
  </p>`

const failuresOf = ({ failed, resources }: Report): ReadonlyArray<FailedList> => [
  ...failed,
  ...(resources?.failed ?? []),
]

/** What could not be read, in a sentence. Since when what is shown is old, if nothing is missing. */
const doubtOf = (report: Report): string => {
  const { resources, summary } = report
  const failed = failuresOf(report)
  const lists = failed.map(({ source }) => brief(source).replace(/^(Resources of )?Subscription (?=\S)/, "$1"))
  // The resources of a subscription that failed are not named again.
  const repeated = new Set(lists.map((name) => `Resources of ${name}`))
  const names = lists.filter((name) => !repeated.has(name))
  const invalid = summary.invalid + (resources?.invalid ?? 0)
  const text = EventSummary.doubt({ ...summary, failed: names, invalid })
  const times = failed.flatMap(({ readAt }) => readAt ?? [])
  return times.length === 0 || times.length < failed.length
    ? text
    : `Some of this is of ${Moment.minute(Math.min(...times))} UTC. ${text}`
}

const doubts = (report: Report): Html => {
  const text = doubtOf(report)
  return text === "" ? nothing : html`<p class="doubt">${text}</p>`
}

/** Why lists were not read: those that failed, then those beside them that are no failures. */
const failures = (report: Report): Html => {
  const failed = failuresOf(report)
  const beside = report.summary.gaps.filter(({ kind }) => kind !== "left out")
  return failed.length + beside.length === 0
    ? nothing
    : html`<details>
        <summary><span class="name">${failed.length === 0 ? "Not read" : "Failed lists"}</span></summary>
        ${failed.slice(0, maxFailed).map(failure)}
        ${beside.map((gap) => html`<p class="quiet">${brief(Coverage.phrase(gap, String))}.</p>`)}
      </details>`
}

const noticesText = ({ summary: { notices } }: Report): Html =>
  notices === 0
    ? nothing
    : html`<p class="quiet">
        <a class="plain" href="#notices">${plural(notices, "notice")}</a> of maintenance, advice or billing
        ${notices === 1 ? "is" : "are"} active.
      </p>`

const isIssue = ({ isActive, isNotice }: Item): boolean => isActive && !isNotice

/** The worst of what is one's own. What was not read is a warning. What only an owner stopped needs no attention. */
const worstOf = (report: Report): Severity.Severity => {
  const { items, resourceEvents, resources, summary } = report
  const affected = resources?.affected.filter(({ verdict }) => verdict !== "customer") ?? []
  const down = affected.map((one) => (severityOf(one) === "Other" ? "Warning" : severityOf(one)))
  const issues = (resources === undefined ? items : [...resourceEvents.keys()]).filter(isIssue)
  const doubt = doubtOf(report) === "" && EventSummary.isSure(summary) ? [] : ["Warning" as const]
  return Severity.worst([...down, ...issues.map(({ severity }) => severity), ...doubt])
}

const issues = { anchor: "issues", most: 5 }

/** The issues that hit no resource, folded. */
const rest = (report: Report): Html => {
  const others = report.items.filter((item) => isIssue(item) && !report.resourceEvents.has(item))
  return html`<details>
    <summary>
      <span class="name">The rest of the cloud</span>
      <span class="quiet"
        >${others.length > 0 ? plural(others.length, "active issue") : `no ${qualifier(report.summary)}active issue`}
        elsewhere</span
      >
    </summary>
    ${Issues.list(others, issues)} ${noticesText(report)}
  </details>`
}

const state = (report: Report): Html => {
  const { items, resources, summary } = report
  return html`<div class="card state ${worstOf(report)}">
    <div class="verdict">
      <p>${resources === undefined ? EventSummary.headline(summary) : ResourceOverview.headline(resources)}</p>
      ${doubts(report)}
    </div>
    ${
      resources === undefined
        ? html`${Issues.list(items.filter(isIssue), issues)}${noticesText(report)}`
        : html`${ResourceOverview.lists(report, resources)}${rest(report)}`
    }${failures(report)}
  </div>`
}

/** For the tab: what is wrong, in a few words, with the numbers of the heading. */
export const title = (report: Report): string => {
  const { resourceEvents, resources, summary } = report
  const { affected = [], down = 0, stopped = 0 } = resources ?? {}
  const isDown = affected.every((one) => one.state === "Available" || severityOf(one) !== "Other")
  const issues = resources === undefined ? summary.issues : [...resourceEvents.keys()].filter(isIssue).length
  const possible = affected.filter(Assessment.isAffected).length
  const problem =
    (down > 0 && `${down} ${isDown ? "down" : "not available"}`) ||
    (possible > 0 && `${possible} affected`) ||
    (issues > 0 && plural(issues, "issue")) ||
    (doubtOf(report) !== "" && "Not known")
  const own = stopped > 0 && `${stopped} stopped ${ResourceStates.byOwners(stopped)}`
  const found = [problem, own].filter((text) => text !== false)
  if (found.length > 0) return found.join(", ")
  const none = summary.isFiltered ? "No issue selected" : "No issue"
  const fine = resources === undefined ? none : resources.all.length === 0 ? "No resources" : "All available"
  return fine + EventSummary.remark(summary.gaps)
}

export const section = (report: Report, note: Html): Html => {
  const { from, now } = report.period
  return html`<header>
    <h1>Service health</h1>
    <p class="of" title="${report.source}">${report.owners.all}</p>
    <p class="quiet">
      As of ${time(now)} UTC, with ${plural(report.items.length, "event")} since ${time(from, Moment.date)}.
    </p>
    ${note}${state(report)}
  </header>`
}
