/** The events of the head of the report, with links. */
import { type Html, html, nothing } from "./html.js"
import type { Item } from "./items.js"
import * as Facts from "./statusFacts.js"

/** A link to the others, if there are some. */
export const more = (count: number, anchor: string, details = ""): Html =>
  count > 0 ? html`<p class="quiet"><a class="plain" href="#${anchor}">and ${count} more${details}</a></p>` : nothing

interface Options {
  /** Of all of them. */
  readonly anchor: string
  /** More are counted. */
  readonly most: number
  /** What an event has to do with the reader. */
  readonly about?: (item: Item) => Html
}

export const list = (items: ReadonlyArray<Item>, { about = () => nothing, anchor, most }: Options): Html =>
  items.length === 0
    ? nothing
    : html`<ul>
          ${items.slice(0, most).map(
            (item) =>
              html`<li class="${item.severity}">
                <span class="pill">${item.level}</span>
                <span
                  ><a class="plain" href="#${item.anchor}" dir="auto">${Facts.bare(item.title)}</a> ${about(item)}</span
                >
              </li>`,
          )}
        </ul>
        ${more(items.length - most, anchor)}`
