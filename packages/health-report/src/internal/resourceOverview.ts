/** The head of the report about the resources: those that do not work, and the events that hit them. */
import * as Labels from "@vigil/health-text/Labels"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as EventSummary from "../EventSummary.js"
import * as ResourceStates from "../ResourceStates.js"
import * as Advice from "./advice.js"
import type { ResourceEvent } from "./resourceEvents.js"
import { type Html, html, nothing } from "./html.js"
import { list, more } from "./issues.js"
import type { Item } from "./items.js"
import { severityOf } from "./resources.js"
import type { Report } from "./report.js"

const maxResources = 5

/** ` of Production`, if there are several subscriptions. */
const ofOwner = ({ status }: Assessment.Assessment, { owners }: Report): string => {
  const owner = owners.resource(status)
  return owner && ` of ${owner}`
}

const resource =
  (report: Report) =>
  (one: Assessment.Assessment): Html => {
    const [since, next] = [Advice.since(one, report), Advice.next(one, report)]
    return html`<li class="${severityOf(one)}">
      <span class="pill">${Assessment.label(one)}</span>
      <span
        ><a class="plain" href="#${report.places.get(one) ?? "resources"}"><b>${Advice.nameOf(one)}</b></a
        >${ofOwner(one, report)}${since.markup === "" ? nothing : html` since ${since}`}
        <span class="quiet">${Advice.why(one, report)}</span>
        ${next.markup === "" ? nothing : html`<span class="quiet">Next: ${next}</span>`}</span
      >
    </li>`
  }

/** What an event that names none has to do with the resources. */
export const near = ({ nearby }: ResourceEvent): string =>
  `${plural(nearby, "resource")} of yours ${nearby === 1 ? "is" : "are"} in its services and regions.`

/** Short: the counts of states follow on a line of their own. */
export const headline = (resources: ResourceStates.ResourceStates): Html => {
  const { affected, count, details } = ResourceStates.parts(resources)
  const more = Labels.distinct([details, affected]).join("; ")
  const remark = EventSummary.remark(resources.gaps)
  return html`${count}${remark}${more === "" ? nothing : html` <span class="quiet">${more}</span>`}`
}

/** The resources that do not work or may be affected, and the events that hit them. */
export const lists = (report: Report, resources: ResourceStates.ResourceStates): Html => {
  const { resourceEvents } = report
  const { affected } = resources
  // With it, the counts add up to those of the headline.
  const available = affected.slice(maxResources).filter(({ state }) => state === "Available").length
  const about = (item: Item) => {
    const found = resourceEvents.get(item)
    if (found === undefined) return nothing
    const names = found.resources.map((one) => Advice.nameOf(one) + ofOwner(one, report))
    return html`<span class="quiet">${names.length > 0 ? `It names ${enumerateSome(names)}.` : near(found)}</span>`
  }
  return html`${
    affected.length === 0
      ? nothing
      : html`<ul>
            ${affected.slice(0, maxResources).map(resource(report))}
          </ul>
          ${more(affected.length - maxResources, "resources", available > 0 ? `, ${available} of them available` : "")}`
  }
  ${
    resourceEvents.size === 0
      ? nothing
      : html`<h2>
            ${plural(resourceEvents.size, "event")} ${resourceEvents.size === 1 ? "hits" : "hit"} what you have
          </h2>
          ${list([...resourceEvents.keys()], { anchor: "hits", most: 3, about })}`
  }`
}
