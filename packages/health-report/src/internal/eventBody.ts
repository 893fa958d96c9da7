/** One event in full, shown when it is opened. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import type * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Advice from "./advice.js"
import * as Contents from "./contents.js"
import { type Html, html, nothing, time, timestamp } from "./html.js"
import type { Item } from "./items.js"
import * as Prose from "./prose.js"
import { severityOf } from "./resources.js"
import type { Report } from "./report.js"
import * as ResourceOverview from "./resourceOverview.js"

const instant = (sent: Timestamp.Timestamp | null | undefined): Html => {
  const millis = Moment.parse(sent)
  return millis === undefined ? nothing : time(millis)
}

const facts = ({ anchor, event }: Item, { owners }: Report): Html => {
  const { eventTags, impactMitigationTime, impactStartTime, impactType, reason, status } = event.properties ?? {}
  const all: ReadonlyArray<readonly [name: string, value: Html]> = [
    ["Status", html`${Labels.status(status)}`],
    ["Of", html`${owners.event(event)}`],
    ["Start", instant(impactStartTime)],
    ["End", instant(impactMitigationTime)],
    ["Kind of impact", html`${Labels.orElse(impactType, "")}`],
    ["Reason", html`${Labels.orElse(reason, "")}`],
    ["Tags", html`${Labels.distinct(eventTags ?? []).join(", ")}`],
    ["Link", html`<a href="#${anchor}">This event</a>`],
  ]
  const present = all.filter(([, { markup }]) => markup !== "")
  return html`<dl class="facts">
    ${present.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

const withheldNote = (event: AnyEvent): Html =>
  Sensitive.hasWithheldTexts(event)
    ? html`<p class="prose quiet">
        Lists withhold some texts of this event. To show them, run <code>vigil events show --details</code> with its
        tracking ID.
      </p>`
    : nothing

const places = ({ event, severity }: Item): Html => {
  const isOver = (status: string | null | undefined) =>
    HealthEvent.isResolvedStatus(Labels.orElse(status, event.properties?.status ?? ""))
  const services = (event.properties?.impact ?? []).map(({ impactedRegions, impactedService }) => {
    const where = (impactedRegions ?? []).map(
      ({ impactedRegion, status }) =>
        html`<li class="${isOver(status) ? "Other" : severity}">
          <span class="dot"></span>${Labels.orElse(impactedRegion, "Unknown region")}<span class="quiet"
            >${Labels.status(status)}</span
          >
        </li>`,
    )
    return html`<h4>${Labels.orElse(impactedService, "Unknown service")}</h4>
      ${
        where.length === 0
          ? html`<p class="quiet">Unknown region</p>`
          : html`<ul class="places">
              ${where}
            </ul>`
      }`
  })
  return html`${services}`
}

const updates = (event: AnyEvent): Html => {
  const all = Contents.updates(event)
  if (all.length === 0) return nothing
  return html`<h4>Updates</h4>
    <ol class="updates">
      ${all.map(
        ({ millis, regions, tags, text, time }) =>
          html`<li>
            <span class="quiet"
              >${timestamp(time, millis || undefined)}${[regions, tags].flatMap((names) => (names.length === 0 ? [] : html` · ${names.join(", ")}`))}</span
            >
            <p class="prose" dir="auto">${Prose.inline(text)}</p>
          </li>`,
      )}
    </ol>`
}

const part = ({ kind, text }: Contents.Part): Html =>
  kind === "question" ? html`<p class="prose" dir="auto"><strong>${text}</strong></p>` : Prose.block(text)

const section = ({ items, parts, title }: Contents.Section): Html =>
  html`<h4>${title}</h4>
    ${parts.map(part)}${
      items.length === 0
        ? nothing
        : html`<ul>
            ${items.map((item) => html`<li dir="auto">${Prose.inline(item)}</li>`)}
          </ul>`
    }`

/** More are counted. */
const maxResources = 50

/** The resources that it names, as links to their rows. */
const resources = (item: Item, { resourceEvents, places }: Report): Html => {
  const found = resourceEvents.get(item)
  if (found === undefined) return nothing
  const all = found.resources.slice(0, maxResources).map((one) => {
    const place = places.get(one)
    const name = Advice.nameOf(one)
    return html`<li class="${severityOf(one)}">
      <span class="dot"></span>${place === undefined ? name : html`<a href="#${place}">${name}</a>`}
      <span class="quiet">${Assessment.label(one)}</span>
    </li>`
  })
  const more = found.resources.length - all.length
  return html`<h4>Your resources</h4>
    ${
      all.length === 0
        ? html`<p class="quiet">${ResourceOverview.near(found)}</p>`
        : html`<ul class="places">
            ${all}
          </ul>`
    }
    ${more > 0 ? html`<p class="quiet">and ${more} more</p>` : nothing}`
}

export const render = (item: Item, report: Report): Html => {
  const { anchor, event } = item
  return html`<div class="body" id="${anchor}">
    ${facts(item, report)} ${resources(item, report)}
    ${Prose.block(event.properties?.header)}${Contents.introduction(event).flatMap(({ parts }) => parts.map(part))}${withheldNote(event)}
    ${places(item)} ${updates(event)} ${Contents.details(event).map(section)}
  </div>`
}
