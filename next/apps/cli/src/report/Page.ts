/** The report as one HTML file without external resources. */
import { createHash } from "node:crypto"
import type { Snapshot } from "../events/Snapshot.js"
import * as Chart from "./Chart.js"
import * as EventList from "./EventList.js"
import { type Html, html, nothing, print, raw } from "./Html.js"
import * as Overview from "./Overview.js"
import * as States from "./States.js"
import * as Style from "./Style.js"
import * as Subject from "./Subject.js"

export const beginning = "<!doctype html>\n<!-- A report of vigil events report -->\n"

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

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** What differs between a file and a page of `vigil serve`. */
export interface Kind {
  readonly beginning: string
  /** Follows the script of all pages. */
  readonly script: string
  /** Further directives of the Content-Security-Policy. */
  readonly policy: ReadonlyArray<string>
  readonly footer: string
}

const file: Kind = {
  beginning,
  script: "",
  policy: [],
  footer: "Made by vigil. This file works offline and sends no data.",
}

const scriptOf = (kind: Kind): string => script + kind.script

export const policyOf = (kind: Kind): string =>
  [
    "default-src 'none'",
    `style-src ${hash(Style.sheet)}`,
    `script-src ${hash(scriptOf(kind))}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...kind.policy,
  ].join("; ")

/** The same events at the same time produce the same text. `note` is shown in the head. */
export const make = (reading: Snapshot, kind: Kind = file, note: Html = nothing): string => {
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
