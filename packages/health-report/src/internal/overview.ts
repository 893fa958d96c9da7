/** The head of the report: the current state. */
import * as Severity from "@vigil/health-text/Severity"
import * as Verdict from "../Verdict.js"
import * as Moment from "./moment.js"
import { type Html, html, nothing, time } from "./html.js"
import type { Item } from "./items.js"
import type { Subject } from "./subject.js"
import { plural } from "@vigil/health-text/Sentence"
import * as ResourceStates from "../ResourceStates.js"
import type { FailedList } from "../Snapshot.js"

const maxEvents = 5

/** The sentence above counts the others. */
const maxFailed = 5

/** The heading of the card says that they are active. */
const shortTitle = (title: string): string => title.replace(/^active:\s+(?=\S)/i, "")

const one = ({ anchor, level, severity, title }: Item): Html =>
  html`<li class="${severity}">
    <span class="pill">${level}</span>
    <a class="plain" href="#${anchor}" dir="auto">${shortTitle(title)}</a>
  </li>`

/** `noun` is what the list has. */
export const failure =
  (noun: string) =>
  ({ problem, readAt, source }: FailedList): Html =>
    html`<p class="quiet">
      ${source}: ${problem} ${readAt === undefined ? nothing : html`Its ${noun} are of ${time(readAt)} UTC.`}
    </p>`

/** What an owner stopped needs no attention. */
const isWarning = (resources: ResourceStates.ResourceStates | undefined): boolean =>
  resources !== undefined &&
  (ResourceStates.doubt(resources) !== "" || resources.affected.some(({ verdict }) => verdict !== "customer"))

const state = ({ failed, items, resources, verdict }: Subject): Html => {
  const active = items.filter(({ isActive, isNotice }) => isActive && !isNotice)
  const { notices } = verdict
  const doubt = Verdict.doubt(verdict)
  const isDoubtful = doubt !== "" || isWarning(resources)
  const worst = active.length === 0 && isDoubtful ? "Warning" : Severity.worst(active.map(({ severity }) => severity))
  const more = active.length - maxEvents
  return html`<div class="card state ${worst}">
    <p>${Verdict.headline(verdict)}</p>
    ${doubt === "" ? nothing : html`<p class="doubt">${doubt}</p>`}${failed.slice(0, maxFailed).map(failure("events"))}
    ${
      active.length === 0
        ? nothing
        : html`<ul>
              ${active.slice(0, maxEvents).map(one)}
            </ul>
            ${more > 0 ? html`<p class="quiet"><a href="#issues">and ${more} more</a></p>` : nothing}`
    }
    ${
      resources === undefined
        ? nothing
        : html`<p class="doubt">
            <a class="plain" href="#resources">${ResourceStates.headline(resources)}</a>
            ${ResourceStates.doubt(resources)}
          </p>`
    }
    ${
      notices === 0
        ? nothing
        : html`<p class="quiet">
            <a class="plain" href="#notices">${plural(notices, "notice")}</a> of maintenance, advice or billing
            ${notices === 1 ? "is" : "are"} active.
          </p>`
    }
  </div>`
}

export const section = (subject: Subject, note: Html): Html => {
  const { from, now } = subject.period
  return html`<header>
    <h1>Service health</h1>
    <p class="of">${subject.source}</p>
    <p class="quiet">${time(from, Moment.date)} to ${time(now)} UTC, ${plural(subject.items.length, "event")}</p>
    ${note}${state(subject)}
  </header>`
}
