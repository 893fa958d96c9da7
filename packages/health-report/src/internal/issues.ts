/** The head of the report about all issues: of the cloud, or of the rest of it. */
import { type Html, html, nothing } from "./html.js"
import type { Item } from "./items.js"

const maxEvents = 5

/** The heading of the card says that they are active. */
export const shortTitle = (title: string): string => title.replace(/^active:\s+(?=\S)/i, "")

/** A link to the others, if there are some. */
export const more = (count: number, anchor: string): Html =>
  count > 0 ? html`<p class="quiet"><a class="plain" href="#${anchor}">and ${count} more</a></p>` : nothing

const one = ({ anchor, level, severity, title }: Item): Html =>
  html`<li class="${severity}">
    <span class="pill">${level}</span>
    <a class="plain" href="#${anchor}" dir="auto">${shortTitle(title)}</a>
  </li>`

export const list = (items: ReadonlyArray<Item>): Html =>
  items.length === 0
    ? nothing
    : html`<ul>
          ${items.slice(0, maxEvents).map(one)}
        </ul>
        ${more(items.length - maxEvents, "issues")}`
