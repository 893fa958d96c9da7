/** The head of the report about the resources: those that do not work, and the events that hit them. */
import * as Labels from "@vigil/health-text/Labels"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as ResourceStates from "../ResourceStates.js"
import * as Advice from "./advice.js"
import type { Hit } from "./hits.js"
import { type Html, html, nothing } from "./html.js"
import { list, more } from "./issues.js"
import type { Item } from "./items.js"
import { severityOf } from "./resources.js"
import type { Subject } from "./subject.js"

const maxResources = 5

/** ` of Production`, if there are several subscriptions. */
const ofOwner = ({ status }: Assessment.Assessment, { whose }: Subject): string => {
  const owner = whose.resource(status)
  return owner && ` of ${owner}`
}

const resource =
  (subject: Subject) =>
  (one: Assessment.Assessment): Html => {
    const [since, next] = [Advice.since(one, subject), Advice.next(one, subject)]
    return html`<li class="${severityOf(one)}">
      <span class="pill">${Assessment.label(one)}</span>
      <span
        ><a class="plain" href="#${subject.places.get(one) ?? "resources"}"><b>${Advice.nameOf(one)}</b></a
        >${ofOwner(one, subject)}${since.markup === "" ? nothing : html` since ${since}`}
        <span class="quiet">${Advice.why(one, subject)}</span>
        ${next.markup === "" ? nothing : html`<span class="quiet">Next: ${next}</span>`}</span
      >
    </li>`
  }

/** What an event that names none has to do with the resources. */
export const near = ({ nearby }: Hit): string =>
  `${plural(nearby, "resource")} of yours ${nearby === 1 ? "is" : "are"} in its services and regions.`

/** Short: the counts of states follow on a line of their own. */
export const headline = (resources: ResourceStates.ResourceStates): Html => {
  const { affected, count, details } = ResourceStates.parts(resources)
  const more = Labels.distinct([details, affected]).join("; ")
  return html`${count}${more === "" ? nothing : html` <span class="quiet">${more}</span>`}`
}

/** The resources that do not work or may be affected, and the events that hit them. */
export const lists = (subject: Subject, resources: ResourceStates.ResourceStates): Html => {
  const { hits } = subject
  const { affected } = resources
  // With it, the counts add up to those of the headline.
  const available = affected.slice(maxResources).filter(({ state }) => state === "Available").length
  const about = (item: Item) => {
    const hit = hits.get(item)
    if (hit === undefined) return nothing
    const names = hit.resources.map((one) => Advice.nameOf(one) + ofOwner(one, subject))
    return html`<span class="quiet">${names.length > 0 ? `It names ${enumerateSome(names)}.` : near(hit)}</span>`
  }
  return html`${
    affected.length === 0
      ? nothing
      : html`<ul>
            ${affected.slice(0, maxResources).map(resource(subject))}
          </ul>
          ${more(affected.length - maxResources, "resources", available > 0 ? `, ${available} of them available` : "")}`
  }
  ${
    hits.size === 0
      ? nothing
      : html`<h2>${plural(hits.size, "event")} ${hits.size === 1 ? "hits" : "hit"} what you have</h2>
          ${list([...hits.keys()], { anchor: "hits", most: 3, about })}`
  }`
}
