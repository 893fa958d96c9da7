/** The list of events: a summary of each, and its body. */
import * as EventBody from "./EventBody.js"
import { type Html, html, nothing } from "./Html.js"
import * as Palette from "./Palette.js"
import type { Item, Subject } from "./Subject.js"
import * as Words from "./Words.js"

const shown = 4

const some = (names: ReadonlyArray<string>): string =>
  names.length <= shown
    ? names.join(", ")
    : `${names.slice(0, shown - 1).join(", ")} and ${names.length - shown + 1} more`

const one = (item: Item): Html => {
  const { event, severity } = item
  const impact = event.properties?.impact ?? []
  const services = Words.distinct(impact.map(({ impactedService }) => impactedService))
  const regions = Words.distinct(
    impact.flatMap(({ impactedRegions }) => (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion)),
  )
  const about = [Words.type(event), some(services), some(regions)].filter((part) => part !== "").join(" · ")
  return html`<details class="${Palette.className(severity)}">
    <summary>
      <span class="title" dir="auto">${Words.title(event)}</span>
      <span class="about">
        <span class="pill">${Words.level(event)}</span>
        <span>${about} · updated ${Words.sent(event.properties?.lastUpdateTime)}</span>
      </span>
    </summary>
    ${EventBody.of(item)}
  </details>`
}

const group = (name: string, items: ReadonlyArray<Item>): Html =>
  items.length === 0
    ? nothing
    : html`<h3 class="group">${name} (${items.length})</h3>
        <div class="card events">${items.map(one)}</div>`

export const section = ({ items }: Subject): Html =>
  html`<section aria-labelledby="events">
    <h2 id="events">Events</h2>
    <p class="quiet">Open an event for all that is known of it. What is open is printed open.</p>
    ${items.length === 0 ? html`<p class="card state other">There are no events in this time.</p>` : nothing}
    ${group(
      "Active",
      items.filter(({ isActive }) => isActive),
    )}
    ${group(
      "Resolved",
      items.filter(({ isActive }) => !isActive),
    )}
  </section>`
