/** The number of events by status, type and level. */
import * as Order from "effect/Order"
import * as Severity from "../events/Severity.js"
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
  severity: (item: Item) => Severity.Severity,
): ReadonlyArray<Group> => {
  const all = new Map<string, Group>()
  for (const item of items) {
    const key = name(item)
    const { count, severity: before } = all.get(key) ?? { count: 0, severity: severity(item) }
    all.set(key, { name: key, count: count + 1, severity: before })
  }
  return [...all.values()]
}

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

const neutral = (): Severity.Severity => "Other"

export const section = ({ items }: Subject): Html => {
  const statuses = groups(items, ({ event }) => Labels.status(event.properties?.status), neutral)
  const levels = groups(
    items,
    ({ event }) => Labels.level(event),
    ({ severity }) => severity,
  )
  const types = groups(items, ({ event }) => Labels.type(event), neutral)
  return html`<section aria-labelledby="counts">
    <h2 id="counts">Summary</h2>
    <div class="counts">
      <div>${table("By status", statuses)} ${table("By level", levels.toSorted(bySeverity))}</div>
      ${table("By type", types.toSorted(byCount))}
    </div>
  </section>`
}
