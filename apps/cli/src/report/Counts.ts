/** The number of events by status, type and level. */
import * as Order from "effect/Order"
import * as Severity from "../events/Severity.js"
import * as Lanes from "../timeline/Lanes.js"
import { type Html, html } from "./Html.js"
import * as Palette from "./Palette.js"
import type { Item, Subject } from "./Subject.js"
import * as Labels from "./Labels.js"

interface Group {
  readonly name: string
  readonly count: number
  readonly severity: Severity.Severity
}

const groups = (
  items: ReadonlyArray<Item>,
  name: (item: Item) => string,
  severity: (item: Item) => Severity.Severity = () => "Other",
): ReadonlyArray<Group> =>
  Array.from(Lanes.groupBy(items, name), ([name, [first, ...others]]) => ({
    name,
    count: 1 + others.length,
    severity: first === undefined ? "Other" : severity(first),
  }))

const table = (caption: string, groups: ReadonlyArray<Group>): Html => {
  const most = groups.reduce((most, { count }) => Math.max(most, count), 1)
  const row = ({ count, name, severity }: Group) =>
    html`<tr class="${Palette.className(severity)}">
      <th scope="row">${name}</th>
      <td class="number">${count}</td>
      <td class="share">
        <svg aria-hidden="true">
          <rect class="lane" width="100%" height="8" rx="4" />
          <rect class="fill" width="${((count / most) * 100).toFixed(2)}%" height="8" rx="4" />
        </svg>
      </td>
    </tr>`
  return html`<div class="card">
    <table>
      <caption>
        ${caption}
      </caption>
      <tbody>
        ${groups.map(row)}
      </tbody>
    </table>
  </div>`
}

const byCount = Order.combine(
  Order.mapInput(Order.reverse(Order.number), ({ count }: Group) => count),
  Order.mapInput(Order.string, ({ name }: Group) => name),
)

const bySeverity = Order.mapInput(Order.number, ({ severity }: Group) => Severity.rank(severity))

export const section = ({ items }: Subject): Html => {
  const statuses = groups(items, ({ event }) => Labels.status(event.properties?.status))
  const levels = groups(
    items,
    ({ event }) => Labels.level(event),
    ({ severity }) => severity,
  )
  const types = groups(items, ({ event }) => Labels.type(event))
  return html`<section aria-labelledby="counts">
    <h2 id="counts">Summary</h2>
    <div class="counts">
      <div>${table("By status", statuses)} ${table("By level", levels.toSorted(bySeverity))}</div>
      ${table("By type", types.toSorted(byCount))}
    </div>
  </section>`
}
