/** The list of events: a summary of each, its body, and filters that a script shows. */
import * as Region from "@vigil/health-schema/Region"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import { enumerateSome } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as EventBody from "./eventBody.js"
import { Html, html, nothing, timestamp } from "./html.js"
import type { Item } from "./items.js"
import { none, type Report } from "./report.js"

/** The maximum number of options of a filter. */
const maxOptions = 200

/** The values of `data-regions`: different spellings of a region are one. */
const regionKeys = (regions: ReadonlyArray<string>): string => Labels.distinct(regions.map(Region.normalize)).join(" ")

type Option = readonly [value: string, label: string]

const select = (name: string, options: Iterable<Option>): Html =>
  html`<label
    ><span>${name}</span>
    <select name="${name.toLowerCase()}">
      <option value="">All</option>
      ${Array.from(options, ([value, label]) => html`<option value="${value}">${label}</option>`)}
    </select></label
  >`

const sorted = (options: ReadonlyMap<string, string>): ReadonlyArray<Option> =>
  [...options].slice(0, maxOptions).toSorted(([, one], [, other]) => (one < other ? -1 : 1))

const same = (value: string): Option => [value, value]

const filters = (items: ReadonlyArray<Item>): Html => {
  const regions = items.flatMap(({ event }) => Labels.regions(event)).toReversed()
  return html`<div id="search" role="search" hidden>
    <label><span>Search</span> <input type="search" name="text" placeholder="Title, ID, service or region" /></label>
    ${select("Level", Severity.all.map(same))}
    ${select("Type", sorted(new Map(items.map(({ event }) => same(Labels.type(event))))))}
    ${select("Region", sorted(new Map(regions.map((name) => [Region.normalize(name), name]))))}
    <span class="quiet" role="status"></span>
  </div>`
}

/** The start and the end, and the time between them or until now. */
const times = ({ interval, isActive }: Item, now: number): ReadonlyArray<string> => {
  if (interval === undefined) return []
  const { end, start } = interval
  return end === Infinity && (!isActive || start > now)
    ? [`from ${Moment.minute(start)}`]
    : [Moment.between(start, end), Moment.span((end === Infinity ? now : end) - start)]
}

const one =
  (report: Report) =>
  (item: Item): Html => {
    const { event, level, severity, title, updated } = item
    const { now } = report.period
    const owner = report.owners.event(event)
    const type = Labels.type(event)
    const regions = Labels.regions(event)
    const places = Labels.distinct([Labels.services(event), regions].map((names) => enumerateSome(names)))
    const parts = [owner === "" ? [] : [owner], places, times(item, now)].filter(({ length }) => length > 0)
    return html`<details class="${severity}" data-type="${type}" data-regions="${regionKeys(regions)}">
      <summary>
        <span class="title" dir="auto">${title}</span>
        <span class="about">
          <span
            ><span class="pill">${level}</span>
            ${event.name ? html`<code class="id">${event.name}</code> · ` : nothing}${type}</span
          >
          ${parts.map((part) => html`<span>${part.join(" · ")}</span>`)}
          <span>updated ${timestamp(event.properties?.lastUpdateTime, updated)}</span>
        </span>
      </summary>
      ${EventBody.render(item, report)}
    </details>`
  }

/** In UTF-16 code units: few enough to do something else between two chunks, and enough for few writes. */
const chunkLength = 200_000

/** Texts of events may be long, so that the number of events says little. */
function* chunks(items: ReadonlyArray<Item>, render: (item: Item) => Html): Generator<Html> {
  let markup = ""
  for (const item of items) {
    markup += render(item).markup
    if (markup.length < chunkLength) continue
    yield new Html(markup)
    markup = ""
  }
  if (markup !== "") yield new Html(markup)
}

interface Group {
  readonly id: string
  readonly name: string
  readonly items: ReadonlyArray<Item>
}

/** Events that hit the resources come first. */
const groups = ({ items, resourceEvents }: Report): ReadonlyArray<Group> => {
  const active = items.filter((item) => item.isActive && !resourceEvents.has(item))
  const [issues, notices] =
    resourceEvents.size === 0 ? ["Active issues", "Active notices"] : ["Other issues", "Other notices"]
  return [
    { id: "hits", name: "Events that hit what you have", items: [...resourceEvents.keys()] },
    { id: "issues", name: issues, items: active.filter(({ isNotice }) => !isNotice) },
    { id: "notices", name: notices, items: active.filter(({ isNotice }) => isNotice) },
    { id: "resolved", name: "Resolved", items: items.filter(({ isActive }) => !isActive) },
  ].filter(({ items }) => items.length > 0)
}

function* group({ id, items, name }: Group, isOpen: boolean, report: Report): Generator<Html> {
  yield html`<details class="group" id="${id}" ${isOpen ? html` open` : nothing}>
    <summary>
      <h3 class="name">${name}</h3>
      <span class="count quiet">${items.length}</span>
    </summary>
    <div class="card events">
   `
  yield* chunks(items, one(report))
  yield html`</div></details>`
}

/** With more events, only the first group is open: a page is then short enough to scroll. */
const maxOpen = 20

/** The list in chunks, because it may be hundreds of megabytes. */
export function* section(report: Report): Generator<Html> {
  const { items } = report
  yield html`<section aria-labelledby="events">
    <h2 id="events">Events</h2>
    <p class="quiet">Open an event for its details and a link to it. Open events are printed in full.</p>
    ${filters(items)}${items.length === 0 ? html`<p class="card state Other">${none(report, "event in this period")}</p>` : nothing}
   `
  for (const [index, one] of groups(report).entries()) yield* group(one, index === 0 || items.length <= maxOpen, report)
  yield html`</section>`
}
