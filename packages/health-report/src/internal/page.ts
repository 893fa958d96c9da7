/** The report as one HTML file without external resources. */
import type { Snapshot } from "../Snapshot.js"
import * as Chart from "./chart.js"
import * as EventList from "./eventList.js"
import { Html, html, nothing } from "./html.js"
import * as Overview from "./overview.js"
import * as Resources from "./resources.js"
import { script } from "./script.js"
import * as Style from "./style.js"
import * as Report from "./report.js"
import * as Tables from "./tables.js"

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

const links = ({ resources }: Report.Report): Html =>
  html`<nav aria-label="Sections">
    ${resources === undefined ? nothing : html`<a href="#resources">Resources</a>`}
    <a href="#timeline">Impact</a>
    <a href="#states">State</a>
    <a href="#availability">Availability</a>
    <a href="#events">Events</a>
  </nav>`

/** The page in chunks. `note` is shown in the head. */
export function* chunks(reading: Snapshot, kind: Kind, note: Html = nothing): Generator<string> {
  const report = Report.make(reading)
  yield kind.beginning
  yield html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="${new Html(policyOf(kind))}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>${Overview.title(report)} · Service health</title>
      <link rel="icon" href="data:," />
      ${new Html(`<style>${Style.sheet}</style>`)}
    </head>
    <body>
      ${links(report)}${Overview.section(report, note)}
      <main>${Resources.section(report)}
   `.markup
  for (const { markup } of Chart.section(report)) yield markup
  yield html` ${Tables.current(report)} ${Tables.availability(report)} `.markup
  for (const { markup } of EventList.section(report)) yield markup
  yield html`
      </main>
      <footer>${kind.footer}</footer>
      ${new Html(`<script>${script}${kind.script}</script>`)}
    </body>
  </html> `.markup
}
