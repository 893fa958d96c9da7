/** The tables of a report: the current state, and the availability. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as Availability from "../Availability.js"
import * as Labels from "@vigil/health-text/Labels"
import * as Severity from "@vigil/health-text/Severity"
import { type Html, html, nothing } from "./html.js"
import type { Impact } from "./items.js"
import { plural } from "@vigil/health-text/Sentence"
import * as Report from "./report.js"

/** The maximum number of rows or columns of a table. */
export const maxNames = 200

export const partly = (noun: string, count: number): Html =>
  count > maxNames ? html`<p class="quiet">The table shows ${maxNames} of ${count} ${noun}.</p>` : nothing

/** A table that scrolls. `label` is the ID of its heading. The header row of a tall table stays visible. */
export const table = (
  label: string,
  style: "wide" | "cards rows" | "cards tall",
  columns: ReadonlyArray<Html>,
  rows: ReadonlyArray<Html>,
): Html =>
  html`<div class="card scroll ${style}" role="region" aria-labelledby="${label}" tabindex="0">
    <table class="states">
      <thead>
        <tr>
          ${columns}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`

const none = (spoken: string): Html =>
  html`<span class="none" aria-hidden="true">–</span><span class="hidden">${spoken}</span>`

/** Issues before notices, then the highest level. */
const rank = ({ item: { isNotice, severity } }: Impact): number =>
  Severity.rank(severity) + (isNotice ? Severity.all.length : 0)

const first = ([one, ...others]: ReadonlyArray<Impact>): Impact | undefined =>
  one && others.reduce((best, other) => (rank(other) < rank(best) ? other : best), one)

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

const stateCell = (impacts: ReadonlyArray<Impact>): Html => {
  const one = first(impacts)
  if (one === undefined) return html`<td>${none("nothing")}</td>`
  const more = new Set(impacts.map(({ item }) => item)).size - 1
  return html`<td class="${one.item.severity}">
    ${shown(one)}${more > 0 ? html` <span class="quiet">+${more}</span>` : nothing}
  </td>`
}

/** Names with the most severe issue come first, so that a narrow window shows them. */
const bySeverity = (names: Iterable<string>, current: ReadonlyMap<string, ReadonlyArray<Impact>>) =>
  Array.from(names, (name) => {
    const one = first(current.get(name) ?? [])
    return { name, rank: one === undefined ? 2 * Severity.all.length : rank(one) }
  })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name)

const states = ({ current, impacts, rows }: Report.Report): Html => {
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
      ${columns.map((region) => stateCell(byRegion.get(region) ?? []))}
    </tr> `
  }
  const heads = ["Service", ...columns.map((region) => Labels.orElse(region, "Unknown region"))]
  return html`${partly("services", services.size)}${partly("regions", regions.size)}${table(
    "states",
    "wide",
    heads.map((head) => html`<th scope="col">${head}</th>`),
    bySeverity([...services].slice(0, maxNames), byService).map(row),
  )}`
}

export const current = (report: Report.Report): Html =>
  html`<section>
    <h2 id="states">Current state</h2>
    <p class="quiet">
      Filled: the most severe active issue. Ring: no issue, but a notice. A number counts further events.
      <span class="cue">Scroll the table sideways for more regions.</span>
    </p>
    ${report.impacts.length === 0 ? html`<p class="card state Other">${Report.none(report, "event names a service")}</p>` : states(report)}
  </section>`

/** The least share of each level. */
const levelOf = (share: number): string =>
  share >= 0.999 ? "fine" : share >= 0.99 ? "Warning" : share >= 0.9 ? "Error" : "Critical"

/** As long as the share: a full bar is a place without an issue. */
const bar = (share: number): Html =>
  html`<svg height="8" class="${levelOf(share)}">
    <rect class="lane" width="100%" height="8" rx="2" />
    <rect class="share" width="${Math.max(0, share * 100).toFixed(2)}%" height="8" rx="2" />
  </svg>`

const minutesCell = (level: string, minutes: number): Html =>
  html`<td class="number" data-head="${level}">${minutes === 0 ? none("0") : Availability.count(minutes)}</td>`

const availabilityRow = (levels: ReadonlyArray<Severity.Severity>) => (row: Availability.Row) =>
  html`<tr>
    <th scope="row">
      <span class="place"
        ><span>${Labels.orElse(row.service, "Unknown service")}</span>
        <span class="quiet">${Labels.orElse(row.region, "Unknown region")}</span></span
      >
    </th>
    <td class="number">${Availability.percentage(row.share)}</td>
    <td aria-hidden="true" class="wide">${bar(row.share)}</td>
    ${levels.map((level) => minutesCell(level, row.minutes[level]))}
  </tr> `

export const availability = (report: Report.Report): Html => {
  const { rows, undated } = report.availability
  const levels = Severity.all.filter((level) => rows.some(({ minutes }) => minutes[level] > 0))
  const heads = [
    html`<th scope="col">
      <span class="place"><span>Service</span> <span>Region</span></span>
    </th>`,
    html`<th scope="col" class="number">Without an issue</th>`,
    html`<td aria-hidden="true"></td>`,
    ...levels.map((level) => html`<th scope="col" class="number">${level}</th>`),
  ]
  return html`<section>
    <h2 id="availability">Availability</h2>
    <p class="quiet">
      The share of the time until now without an issue, which is the filled part of a bar, and the minutes of issues by
      level. Issues that overlap count once.
    </p>
    ${partly("rows", rows.length)}
    ${
      rows.length === 0
        ? html`<p class="card state Other">${Report.none(report, "issue with a start in this period")}</p>`
        : table("availability", "cards tall", heads, rows.slice(0, maxNames).map(availabilityRow(levels)))
    }
    ${undated === 0 ? nothing : html`<p class="quiet">${plural(undated, "impact")} without a start or an end ${undated === 1 ? "is" : "are"} not counted.</p>`}
  </section>`
}
