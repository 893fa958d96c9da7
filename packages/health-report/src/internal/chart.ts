/** The timeline of the report: a bar chart per service, with the events behind each bar. */
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import { plural } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as Arr from "effect/Array"
import * as Axis from "./axis.js"
import { type Html, html, nothing } from "./html.js"
import { type Dated, type Item, isDated } from "./items.js"
import type * as Lanes from "./lanes.js"
import * as Period from "./period.js"
import { none, type Report } from "./report.js"

/** For a wide window. A narrow one shows every other mark. */
const maxTicks = 9

const lanes = { issues: { y: 3, height: 12 }, notices: { y: 18.5, height: 3 }, height: 25 }

const maxHints = 3

/** Browsers do not draw a width of 0.00%. */
const minWidth = 0.0001

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

const aboutOf = (own: ReadonlyArray<Dated>, { level }: Item): string => {
  const start = own.reduce((first, { interval }) => Math.min(first, interval.start), Infinity)
  const end = own.reduce((last, { interval }) => Math.max(last, interval.end), -Infinity)
  const regions = Labels.distinct(own.map(({ region }) => region)).join(", ")
  return `${level} · ${Moment.between(start, end)}${regions === "" ? "" : ` · ${regions}`}`
}

/** Latest first. */
const byItem = (impacts: ReadonlyArray<Dated>) => [...Map.groupBy(impacts, ({ item }) => item)].toReversed()

const hint = (impacts: ReadonlyArray<Dated>): string => {
  const items = byItem(impacts)
  const more = items.length - maxHints
  return [
    ...items.slice(0, maxHints).map(([item, own]) => `${item.title}\n${aboutOf(own, item)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n\n")
}

const bar = (
  { end, impacts, severity, start }: Lanes.Bar,
  { height, y }: { readonly y: number; readonly height: number },
): Html =>
  html`<rect
    class="bar ${severity}"
    x="${percent(start)}"
    y="${y}"
    width="${percent(Math.max(minWidth, end - start))}"
    height="${height}"
    rx="1.5"
    ><title>${hint(impacts)}</title></rect
  >`

const lines = (period: Period.Period, ticks: ReadonlyArray<Axis.Tick>): Html => {
  const now = percent(Period.share(period, period.now))
  return html`${ticks.map(({ position }) => html`<line class="grid" x1="${percent(position)}" x2="${percent(position)}" y2="${lanes.height}" />`)}${
    period.to > period.now ? html`<line class="now" x1="${now}" x2="${now}" y2="${lanes.height}" />` : nothing
  }`
}

const alternative = ({ impacts, service, issueTime }: Lanes.Row): string => {
  const levels = Severity.all.flatMap((severity) => {
    const count = new Set(impacts.map(({ item }) => item).filter((item) => item.severity === severity)).size
    return count === 0 ? [] : [`${count} ${severity.toLowerCase()}`]
  })
  return `${service}: ${issueTime === 0 ? "no issues" : `issues for ${Moment.span(issueTime)} in all`}; events: ${levels.join(", ")}`
}

const row = (grid: Html) => (row: Lanes.Row) => {
  const service = Labels.orElse(row.service, "Unknown service")
  return html`<details>
    <summary>
      <span class="name">${service}</span>
      <svg height="${lanes.height}" role="img" aria-label="${alternative({ ...row, service })}">
        <rect class="lane" width="100%" y="${lanes.issues.y}" height="${lanes.issues.height}" rx="1.5" />
        ${grid}${[
          ...row.notices.map((one) => bar(one, lanes.notices)),
          ...row.issues.map((one) => bar(one, lanes.issues)),
        ]}
      </svg>
      <span class="sum">${row.issueTime === 0 ? "no issue" : Moment.span(row.issueTime)}</span>
    </summary>
    <ul class="impacts">
      ${byItem(row.impacts).map(
        ([item, own]) =>
          html`<li class="${item.severity}">
            <span class="dot${item.isNotice ? " hollow" : ""}"></span>
            <a class="plain" href="#${item.anchor}" dir="auto">${item.title}</a>
            <span class="quiet">${aboutOf(own, item)}</span>
          </li>`,
      )}
    </ul>
  </details>`
}

const axis = (ticks: ReadonlyArray<Axis.Tick>): Html =>
  html`<div class="axis" aria-hidden="true">
    <svg>
      ${ticks.map(
        ({ label, position }, index) =>
          html`<text
            x="${percent(position)}"
            y="12"
            text-anchor="${position < 0.04 ? "start" : position > 0.96 ? "end" : "middle"}"
            ${index % 2 === 1 ? html` class="minor"` : nothing}
            >${label}</text
          >`,
      )}
    </svg>
  </div>`

const legend = html`<ul class="legend">
  ${Severity.all.slice(0, 4).map((severity) => html`<li class="${severity}"><span class="swatch"></span>${severity}</li>`)}
  <li class="Other"><span class="swatch"></span>Thick: issues</li>
  <li class="Other"><span class="swatch thin"></span>Thin: maintenance, advisories and other notices</li>
</ul>`

/** The number of services of a chunk: small enough for the memory, and large enough for few writes. */
const chunkSize = 1_000

/** The chart in chunks, because an event may name 100,000 services. */
export function* section(report: Report): Generator<Html> {
  const { impacts, period, rows } = report
  const ticks = Axis.ticks(period, maxTicks)
  const undated = impacts.filter((impact) => !isDated(impact)).length
  const ahead = period.to > period.now ? html`The dashed line is now. Planned impact is after it. ` : nothing
  yield html`<section aria-labelledby="timeline">
    <h2 id="timeline">Impact over time</h2>
    <p class="quiet">
      Services with the longest issues first. Open a service to see its events. ${ahead}Times are UTC.
    </p>
    ${rows.length === 0 ? html`<p class="card state Other">${none(report, "impact in this period")}</p>` : legend}
   `
  if (rows.length > 0) {
    yield html`<div class="card chart">${axis(ticks)}`
    const draw = row(lines(period, ticks))
    for (const chunk of Arr.chunksOf(rows, chunkSize)) yield html`${chunk.map(draw)}`
    yield html`</div>`
  }
  yield html`${undated === 0 ? nothing : html`<p class="quiet">${plural(undated, "impact")} without a start ${undated === 1 ? "is" : "are"} not drawn.</p>`}
  </section>`
}
