/** The list of events: a summary of each, and its body. */
import * as EventBody from "./eventBody.js"
import { type Html, html, nothing } from "./html.js"
import * as Palette from "./palette.js"
import type { Item, Subject } from "./subject.js"
import * as Labels from "../Labels.js"
import * as Time from "./time.js"

const maxNames = 4

const shorten = (names: ReadonlyArray<string>): string =>
  names.length <= maxNames
    ? names.join(", ")
    : `${names.slice(0, maxNames - 1).join(", ")} and ${names.length - maxNames + 1} more`

const one = (item: Item): Html => {
  const { event, severity } = item
  const about = [Labels.type(event), shorten(Labels.services(event)), shorten(Labels.regions(event))]
    .filter((part) => part !== "")
    .join(" · ")
  return html`<details class="${Palette.className(severity)}">
    <summary>
      <span class="title" dir="auto">${Labels.title(event)}</span>
      <span class="about">
        <span class="pill">${Labels.level(event)}</span>
        <span>${about} · updated ${Time.timestamp(event.properties?.lastUpdateTime)}</span>
      </span>
    </summary>
    ${EventBody.render(item)}
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
    <p class="quiet">Open an event for its details. Open events are printed in full.</p>
    ${items.length === 0 ? html`<p class="card state other">There are no events in this period.</p>` : nothing}
    ${group(
      "Active",
      items.filter(({ isActive }) => isActive),
    )}
    ${group(
      "Resolved",
      items.filter(({ isActive }) => !isActive),
    )}
  </section>`
