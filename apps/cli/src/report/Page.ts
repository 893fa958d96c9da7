/** The report as one HTML file, which needs nothing but itself and lets nothing else run. */
import { createHash } from "node:crypto"
import type { Reading } from "../events/Reading.js"
import * as Chart from "./Chart.js"
import * as Counts from "./Counts.js"
import * as EventList from "./EventList.js"
import { html, print, raw } from "./Html.js"
import * as Overview from "./Overview.js"
import * as Script from "./Script.js"
import * as States from "./States.js"
import * as Style from "./Style.js"
import * as Subject from "./Subject.js"

/** How every report begins. */
export const beginning = "<!doctype html>\n<!-- A report of vigil events report -->\n"

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Our style and our script, known by what they are; our icon; nothing else, from nowhere. */
const policy = [
  "default-src 'none'",
  `style-src ${hash(Style.sheet)}`,
  `script-src ${hash(Script.source)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")

/** The file's text: of the same events at the same instant, the same. */
export const make = (reading: Reading): string => {
  const subject = Subject.make(reading)
  return (
    beginning +
    print(
      html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${raw(policy)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <title>Service health: ${subject.of}</title>
          <link rel="icon" href="data:," />
          ${raw(`<style>${Style.sheet}</style>`)}
        </head>
        <body>
          ${Overview.section(subject)}
          <main>
            ${Counts.section(subject)} ${Chart.section(subject)} ${States.section(subject)}
            ${EventList.section(subject)}
          </main>
          <footer>
            Made by vigil from what the service listed. This file needs no network, and sends nothing anywhere.
          </footer>
          <div id="tip" hidden></div>
          ${raw(`<script>${Script.source}</script>`)}
        </body>
      </html> `,
    )
  )
}
