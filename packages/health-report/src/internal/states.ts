/** The current state as a table of services and regions. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as Severity from "../Severity.js"
import { type Html, html, nothing } from "./html.js"
import * as Palette from "./palette.js"
import type { Impact } from "./items.js"
import type { Subject } from "./subject.js"
import * as Labels from "../Labels.js"

/** Issues before notices, then the highest level. */
const rank = ({ item: { isNotice, severity } }: Impact): number =>
  Severity.rank(severity) + (isNotice ? Severity.all.length : 0)

const first = (impacts: ReadonlyArray<Impact>): Impact | undefined => {
  let first = impacts[0]
  for (const one of impacts) if (first === undefined || rank(one) < rank(first)) first = one
  return first
}

const short = (event: AnyEvent): string =>
  Labels.type(event)
    .replace(/^(?:Planned|Health|Post-incident) (.)/, (_, first: string) => first.toUpperCase())
    .replace(/ advisory$/, "")

const shown = ({ item: { anchor, event, isNotice, level } }: Impact): Html =>
  isNotice
    ? html`<a class="notice" href="#${anchor}"
        ><span class="dot hollow"></span><span>${short(event)}<span class="hidden">, ${level}</span></span></a
      >`
    : html`<a class="pill" href="#${anchor}">${level}</a>`

const cell = (impacts: ReadonlyArray<Impact>): Html => {
  const one = first(impacts)
  if (one === undefined)
    return html`<td><span class="none" aria-hidden="true">–</span><span class="hidden">nothing</span></td>`
  const more = new Set(impacts.map(({ item }) => item)).size - 1
  return html`<td class="${Palette.className(one.item.severity)}">
    ${shown(one)}${more > 0 ? html` <span class="quiet">+${more}</span>` : nothing}
  </td>`
}

/** The maximum number of rows or columns of a table. */
export const maxNames = 200

export const partly = (noun: string, count: number): Html =>
  count > maxNames ? html`<p class="quiet">The table shows ${maxNames} of ${count} ${noun}.</p>` : nothing

/** Names with the most severe issue come first, so that a narrow window shows them. */
const bySeverity = (names: Iterable<string>, current: ReadonlyMap<string, ReadonlyArray<Impact>>) =>
  Array.from(names, (name) => {
    const one = first(current.get(name) ?? [])
    return { name, rank: one === undefined ? 2 * Severity.all.length : rank(one) }
  })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name)

const table = ({ current, impacts, rows }: Subject): Html => {
  const services = new Set([...rows, ...impacts].map(({ service }) => service))
  const regions = new Set([...current, ...impacts].map(({ region }) => region))
  const byService = Map.groupBy(current, ({ service }) => service)
  const columns = bySeverity(
    [...regions].slice(0, maxNames).toSorted(),
    Map.groupBy(current, ({ region }) => region),
  )
  const row = (name: string) => {
    const byRegion = Map.groupBy(byService.get(name) ?? [], ({ region }) => region)
    return html`<tr>
      <th scope="row">${Labels.orElse(name, "Unknown service")}</th>
      ${columns.map((region) => cell(byRegion.get(region) ?? []))}
    </tr> `
  }
  return html`${partly("services", services.size)}${partly("regions", regions.size)}
    <div class="card scroll" role="region" aria-labelledby="states" tabindex="0">
      <table class="states">
        <thead>
          <tr>
            <th scope="col">Service</th>
            ${columns.map((region) => html`<th scope="col">${Labels.orElse(region, "Unknown region")}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${bySeverity([...services].slice(0, maxNames), byService).map(row)}
        </tbody>
      </table>
    </div>`
}

export const section = (subject: Subject): Html =>
  html`<section aria-labelledby="states">
    <h2 id="states">Current state</h2>
    <p class="quiet">
      Filled: the most severe active service issue. Ring: no issue, but a notice. A number counts further events.
    </p>
    ${subject.impacts.length === 0 ? html`<p class="card state other">No event names a service.</p>` : table(subject)}
  </section>`
