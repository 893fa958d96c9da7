/** The list of events: a summary of each, its body, and a search box that a script shows. */
import * as Arr from "effect/Array"
import * as Labels from "../Labels.js"
import * as Severity from "../Severity.js"
import * as EventBody from "./eventBody.js"
import { type Html, html, nothing, timestamp } from "./html.js"
import * as Moment from "./moment.js"
import type { Item } from "./items.js"
import type { Subject } from "./subject.js"

const maxNames = 4

const shorten = (names: ReadonlyArray<string>): string =>
  names.length <= maxNames
    ? names.join(", ")
    : `${names.slice(0, maxNames - 1).join(", ")} and ${names.length - maxNames + 1} more`

/** The start and the end, and the time between them or until now. */
const times = ({ interval, isActive }: Item, now: number): ReadonlyArray<string> => {
  if (interval === undefined) return []
  const { end, start } = interval
  return end === Infinity && (!isActive || start > now)
    ? [`from ${Moment.minute(start)}`]
    : [Moment.between(start, end), Moment.span((end === Infinity ? now : end) - start)]
}

const one =
  (now: number) =>
  (item: Item): Html => {
    const { event, level, severity, title, updated } = item
    const names = [Labels.type(event), shorten(Labels.services(event)), shorten(Labels.regions(event))]
    const about = [...names, ...times(item, now)].filter((part) => part !== "").join(" · ")
    return html`<details class="${severity}">
      <summary>
        <span class="title" dir="auto">${title}</span>
        <span class="about">
          <span class="pill">${level}</span>
          ${event.name ? html`<code class="id">${event.name}</code> · ` : nothing}<span
            >${about} · updated ${timestamp(event.properties?.lastUpdateTime, updated)}</span
          >
        </span>
      </summary>
      ${EventBody.render(item)}
    </details>`
  }

/** The number of events of a chunk: small enough for the memory, and large enough for few writes. */
const chunkSize = 100

function* group(name: string, items: ReadonlyArray<Item>, now: number): Generator<Html> {
  if (items.length === 0) return
  yield html`<h3 class="group">${name} (${items.length})</h3>
    <div class="card events">`
  for (const chunk of Arr.chunksOf(items, chunkSize)) yield html`${chunk.map(one(now))}`
  yield html`</div>`
}

const search = html`<div id="search" class="quiet" role="search" hidden>
  <label>Search <input type="search" placeholder="Title, ID, service or region" /></label>
  <label
    >Level
    <select>
      <option value="">All</option>
      ${Severity.all.map((severity) => html`<option>${severity}</option>`)}
    </select></label
  >
  <span role="status"></span>
</div>`

/** The list in chunks, because it may be hundreds of megabytes. */
export function* section({ items, period: { now } }: Subject): Generator<Html> {
  yield html`<section aria-labelledby="events">
    <h2 id="events">Events</h2>
    <p class="quiet">Open an event for its details and a link to it. Open events are printed in full.</p>
    ${search}${items.length === 0 ? html`<p class="card state Other">There are no events in this period.</p>` : nothing}
   `
  yield* group(
    "Active",
    items.filter(({ isActive }) => isActive),
    now,
  )
  yield* group(
    "Resolved",
    items.filter(({ isActive }) => !isActive),
    now,
  )
  yield html`</section>`
}
