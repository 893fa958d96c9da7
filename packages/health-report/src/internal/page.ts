/** The report as one HTML file without external resources. */
import type { Snapshot } from "../Snapshot.js"
import * as Chart from "./chart.js"
import * as EventList from "./eventList.js"
import { type Html, html, nothing, print, raw } from "./html.js"
import * as Overview from "./overview.js"
import * as States from "./states.js"
import * as Style from "./style.js"
import * as Subject from "./subject.js"

/** Opens the linked event. */
const script = `
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1))
  const event = target && target.closest("details")
  if (event) { event.open = true; event.scrollIntoView() }
}
addEventListener("hashchange", reveal)
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

const scriptOf = (kind: Kind): string => script + kind.script

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

/** The same events at the same time produce the same text. `note` is shown in the head. */
export const make = (reading: Snapshot, kind: Kind, note: Html = nothing): string => {
  const subject = Subject.make(reading)
  return (
    kind.beginning +
    print(
      html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${raw(policyOf(kind))}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <title>Service health: ${subject.source}</title>
          <link rel="icon" href="data:," />
          ${raw(`<style>${Style.sheet}</style>`)}
        </head>
        <body>
          ${Overview.section(subject, note)}
          <main>${Chart.section(subject)} ${States.section(subject)} ${EventList.section(subject)}</main>
          <footer>${kind.footer}</footer>
          ${raw(`<script>${scriptOf(kind)}</script>`)}
        </body>
      </html> `,
    )
  )
}
