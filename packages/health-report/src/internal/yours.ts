/** The head of the report about the resources: those that do not work, and the events that hit them. */
import * as Assessment from "../Assessment.js"
import * as ResourceStates from "../ResourceStates.js"
import * as Advice from "./advice.js"
import type { Hit } from "./hits.js"
import { type Html, html, nothing } from "./html.js"
import { more, shortTitle } from "./issues.js"
import { severityOf } from "./resources.js"
import type { Subject } from "./subject.js"
import { plural } from "@vigil/health-text/Sentence"
import { some } from "./whose.js"

const [maxResources, maxHits] = [5, 3]

const resource =
  ({ known, period: { now }, places, whose }: Subject) =>
  (one: Assessment.Assessment): Html => {
    const since = Advice.since(one, now)
    const owner = whose.resource(one.status)
    return html`<li class="${severityOf(one)}">
      <span class="pill">${Assessment.label(one)}</span>
      <span
        ><a class="plain" href="#${places.get(one) ?? "resources"}"><b>${Advice.nameOf(one)}</b></a
        >${owner === "" ? nothing : html` of ${owner}`}${since.markup === "" ? nothing : html` since ${since}`}
        <span class="quiet">${Advice.why(one, known, now)}</span></span
      >
    </li>`
  }

/** What it has to do with the resources. */
export const reach = ({ nearby, resources }: Hit): string => {
  const names = some(resources.map(Advice.nameOf))
  if (resources.length > 0) return `It names ${names}.`
  return `${plural(nearby, "resource")} of yours ${nearby === 1 ? "is" : "are"} in its services and regions.`
}

const hit = (one: Hit): Html => {
  const { anchor, level, severity, title } = one.item
  return html`<li class="${severity}">
    <span class="pill">${level}</span>
    <span
      ><a class="plain" href="#${anchor}" dir="auto">${shortTitle(title)}</a>
      <span class="quiet">${reach(one)}</span></span
    >
  </li>`
}

/** Short: the counts of states follow on a line of their own. */
export const headline = (resources: ResourceStates.ResourceStates): Html => {
  const [first, ...more] = ResourceStates.headline(resources).split(/: |, (?:and )?(?=\d)/)
  return html`${first ?? ""}${more.length === 0 ? nothing : html` <span class="quiet">${more.join("; ")}</span>`}`
}

/** The resources that do not work or may be affected, and the events that hit them. */
export const lists = (subject: Subject, resources: ResourceStates.ResourceStates): Html => {
  const hits = [...subject.hits.values()]
  const { affected } = resources
  return html`${
    affected.length === 0
      ? nothing
      : html`<ul>
            ${affected.slice(0, maxResources).map(resource(subject))}
          </ul>
          ${more(affected.length - maxResources, "resources")}`
  }
  ${
    hits.length === 0
      ? nothing
      : html`<h2>${plural(hits.length, "event")} ${hits.length === 1 ? "hits" : "hit"} what you have</h2>
          <ul>
            ${hits.slice(0, maxHits).map(hit)}
          </ul>
          ${more(hits.length - maxHits, "hits")}`
  }`
}
