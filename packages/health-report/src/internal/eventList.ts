/** The list of events: a summary of each, its body, and a search box that a script shows. */
import * as Events from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Labels from "../Labels.js"
import * as Severity from "../Severity.js"
import * as EventBody from "./eventBody.js"
import { type Html, html, nothing } from "./html.js"
import * as Moment from "./moment.js"
import * as Palette from "./palette.js"
import type { Item, Subject } from "./subject.js"
import * as Time from "./time.js"

const maxNames = 4

const shorten = (names: ReadonlyArray<string>): string =>
  names.length <= maxNames
    ? names.join(", ")
    : `${names.slice(0, maxNames - 1).join(", ")} and ${names.length - maxNames + 1} more`

/** The start and the end, and the time between them or until now. */
const times = ({ event, isActive }: Item, now: number): ReadonlyArray<string> =>
  Option.match(Events.interval(event), {
    onNone: () => [],
    onSome: (interval) => {
      const start = DateTime.toEpochMillis(interval.start)
      const end = Option.getOrUndefined(Option.map(interval.end, DateTime.toEpochMillis))
      return end === undefined && (!isActive || start > now)
        ? [`from ${Moment.minute(start)}`]
        : [Moment.between(start, end), Moment.span((end ?? now) - start)]
    },
  })

const one =
  (now: number) =>
  (item: Item): Html => {
    const { event, severity } = item
    const names = [Labels.type(event), shorten(Labels.services(event)), shorten(Labels.regions(event))]
    const about = [...names, ...times(item, now)].filter((part) => part !== "").join(" · ")
    return html`<details class="${Palette.className(severity)}">
      <summary>
        <span class="title" dir="auto">${Labels.title(event)}</span>
        <span class="about">
          <span class="pill">${Labels.level(event)}</span>
          ${event.name ? html`<code class="id">${event.name}</code> · ` : nothing}<span
            >${about} · updated ${Time.timestamp(event.properties?.lastUpdateTime)}</span
          >
        </span>
      </summary>
      ${EventBody.render(item)}
    </details>`
  }

const group = (name: string, items: ReadonlyArray<Item>, now: number): Html =>
  items.length === 0
    ? nothing
    : html`<h3 class="group">${name} (${items.length})</h3>
        <div class="card events">${items.map(one(now))}</div>`

const search = html`<div id="search" class="quiet" role="search" hidden>
  <label>Search <input type="search" placeholder="Title, ID, service or region" /></label>
  <label
    >Level
    <select>
      <option value="">All</option>
      ${Severity.all.map((severity) => html`<option value="${Palette.className(severity)}">${severity}</option>`)}
    </select></label
  >
  <span role="status"></span>
</div>`

export const section = ({ items, period }: Subject): Html =>
  html`<section aria-labelledby="events">
    <h2 id="events">Events</h2>
    <p class="quiet">Open an event for its details and a link to it. Open events are printed in full.</p>
    ${search}${items.length === 0 ? html`<p class="card state other">There are no events in this period.</p>` : nothing}
    ${group(
      "Active",
      items.filter(({ isActive }) => isActive),
      period.now,
    )}
    ${group(
      "Resolved",
      items.filter(({ isActive }) => !isActive),
      period.now,
    )}
  </section>`
