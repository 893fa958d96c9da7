/** The availability as a table, with a bar for the time of issues. */
import * as Availability from "../Availability.js"
import * as Labels from "../Labels.js"
import * as Severity from "../Severity.js"
import { type Html, html, nothing } from "./html.js"
import * as Palette from "./palette.js"
import { plural } from "./plural.js"
import * as States from "./states.js"
import type { Subject } from "./subject.js"

const cell = (minutes: number): Html =>
  minutes === 0
    ? html`<td class="number"><span class="none" aria-hidden="true">–</span><span class="hidden">0</span></td>`
    : html`<td class="number">${Availability.count(minutes)}</td>`

/** Lowest level first: higher levels are drawn on top. */
const bars = (
  levels: ReadonlyArray<Severity.Severity>,
  { minutes, total }: Availability.Row,
  longest: number,
): Html => {
  const bar = (name: string, length: number) =>
    html`<rect class="${name}" width="${((length / longest) * 100).toFixed(2)}%" height="8" rx="1.5" />`
  const own = levels.toReversed().filter((level) => minutes[level] > 0)
  return html`${bar("lane", total)}${own.map((level) => bar(`bar ${Palette.className(level)}`, minutes[level]))}`
}

const row = (levels: ReadonlyArray<Severity.Severity>, longest: number) => (row: Availability.Row) =>
  html`<tr>
    <th scope="row">${Labels.orElse(row.service, "Unknown service")}</th>
    <td>${Labels.orElse(row.region, "Unknown region")}</td>
    <td class="number">${Availability.percentage(row.share)}</td>
    <td aria-hidden="true"><svg height="8">${bars(levels, row, longest)}</svg></td>
    ${levels.map((level) => cell(row.minutes[level]))}
  </tr> `

export const section = ({ availability: { rows, undated } }: Subject): Html => {
  const levels = Severity.all.filter((level) => rows.some(({ minutes }) => minutes[level] > 0))
  const shown = rows.slice(0, States.maxNames)
  return html`<section aria-labelledby="availability">
    <h2 id="availability">Availability</h2>
    <p class="quiet">
      Minutes of service issues by level until now, and the share of the time without one. Issues that overlap count
      once. Bars compare the whole time.
    </p>
    ${States.partly("rows", rows.length)}
    ${
      rows.length === 0
        ? html`<p class="card state other">No service issue with a start in this period.</p>`
        : html`<div class="card scroll tall" role="region" aria-labelledby="availability" tabindex="0">
            <table class="states">
              <thead>
                <tr>
                  <th scope="col">Service</th>
                  <th scope="col">Region</th>
                  <th scope="col" class="number">Without an issue</th>
                  <td aria-hidden="true"></td>
                  ${levels.map((level) => html`<th scope="col" class="number">${level}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${shown.map(row(levels, shown[0]?.total ?? 1))}
              </tbody>
            </table>
          </div>`
    }
    ${undated === 0 ? nothing : html`<p class="quiet">${plural(undated, "impact")} without a start or an end ${undated === 1 ? "is" : "are"} not counted.</p>`}
  </section>`
}
