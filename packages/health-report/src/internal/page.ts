/** The report as one HTML file without external resources. */
import type { Snapshot } from "../Snapshot.js"
import * as Chart from "./chart.js"
import * as EventList from "./eventList.js"
import { Html, html, nothing } from "./html.js"
import * as Overview from "./overview.js"
import * as Style from "./style.js"
import * as Subject from "./subject.js"
import * as Tables from "./tables.js"

/** Shows the search box, shows the events that match it, and opens the linked event. */
const script = `
const texts = new WeakMap()
const textOf = (event) => {
  if (!texts.has(event)) texts.set(event, event.textContent.toLowerCase())
  return texts.get(event)
}
const search = () => {
  const box = document.getElementById("search")
  const [input, level] = box.querySelectorAll("input, select")
  const words = input.value.toLowerCase().split(/\\s+/)
  const events = [...document.querySelectorAll(".events > details")]
  for (const event of events)
    event.hidden = !((level.value === "" || event.classList.contains(level.value)) && words.every((word) => word === "" || textOf(event).includes(word)))
  for (const group of document.querySelectorAll(".events"))
    group.hidden = group.previousElementSibling.hidden = group.querySelector("details:not([hidden])") === null
  const shown = events.filter(({ hidden }) => !hidden).length
  box.hidden = events.length === 0
  box.querySelector("[role=status]").textContent = shown === events.length ? "" : shown + " of " + events.length + " events"
}
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1))
  const event = target && target.closest("details")
  if (event) { event.hidden = event.parentElement.hidden = false; event.open = true; event.scrollIntoView() }
}
addEventListener("input", search)
addEventListener("hashchange", reveal)
search()
reveal()
`.trim()

/** What differs between a file and a page of `vigil serve`. */
export interface Kind {
  readonly beginning: string
  /** Follows the script of all pages. */
  readonly script: string
  /** The hash of both scripts. */
  readonly scriptHash: string
  /** Further directives of the Content-Security-Policy. */
  readonly policy: ReadonlyArray<string>
  readonly footer: string
}

export const policyOf = (kind: Kind): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${Style.hash}'`,
    `script-src 'sha256-${kind.scriptHash}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...kind.policy,
  ].join("; ")

/** The page in chunks. `note` is shown in the head. */
export function* chunks(reading: Snapshot, kind: Kind, note: Html = nothing): Generator<string> {
  const subject = Subject.make(reading)
  yield kind.beginning
  yield html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="${new Html(policyOf(kind))}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>Service health: ${subject.source}</title>
      <link rel="icon" href="data:," />
      ${new Html(`<style>${Style.sheet}</style>`)}
    </head>
    <body>
      ${Overview.section(subject, note)}
      <main>
   `.markup
  for (const { markup } of Chart.section(subject)) yield markup
  yield html` ${Tables.current(subject)} ${Tables.availability(subject)} `.markup
  for (const { markup } of EventList.section(subject)) yield markup
  yield html`
      </main>
      <footer>${kind.footer}</footer>
      ${new Html(`<script>${script}${kind.script}</script>`)}
    </body>
  </html> `.markup
}
