/** The report as a page that updates itself while it is open. Without scripts, it is complete when it is loaded. */
import type { Snapshot } from "../events/Snapshot.js"
import { html, nothing } from "../report/Html.js"
import * as Labels from "../report/Labels.js"
import * as Page from "../report/Page.js"

/** Replaces the head and the body of the report after a poll, and keeps what is open and focused. */
const script = `
const keyOf = (one) => one.querySelector(".name, .facts code")?.textContent
const say = (text) => { document.getElementById("live").textContent = text }
let shown = document.getElementById("live").dataset.version
const replace = (next) => {
  const open = new Set([...document.querySelectorAll("details[open]")].map(keyOf))
  const focused = document.activeElement?.matches("summary") ? keyOf(document.activeElement.parentElement) : undefined
  for (const name of ["header", "main"]) document.querySelector(name).replaceWith(next.querySelector(name))
  for (const one of document.querySelectorAll("details")) {
    const key = keyOf(one)
    if (key === undefined) continue
    one.open = open.has(key)
    if (key === focused) one.querySelector("summary").focus({ preventScroll: true })
  }
}
const live = "This page updates itself."
const update = async () => {
  try {
    const response = await fetch("./", { cache: "no-cache" })
    if (!response.ok) throw new Error(response.status)
    const next = new DOMParser().parseFromString(await response.text(), "text/html")
    const { version } = next.getElementById("live").dataset
    if (version !== shown) replace(next)
    shown = version
    say(live)
  } catch {
    say("The page could not be updated. It tries again.")
  }
  setTimeout(update, 5000)
}
say(live)
setTimeout(update, 5000)
`

const kind: Page.Kind = {
  beginning: "<!doctype html>\n",
  script,
  policy: ["connect-src 'self'"],
  footer: "Made by vigil.",
}

/** The policy of the header. A `meta` element cannot forbid frames. */
export const policy = `${Page.policyOf(kind)}; frame-ancestors 'none'`

/** The page of a snapshot. `version` is that of the last poll, which may have failed at `failedAt`. */
export const make = (snapshot: Snapshot, version: string, failedAt: number | undefined): string => {
  const failure =
    failedAt === undefined
      ? nothing
      : html`<p class="card state warning">
          The last poll failed at ${Labels.time(failedAt)} UTC. This page shows the state at
          ${Labels.time(snapshot.now)}.
        </p>`
  const note = html`<p class="quiet" id="live" role="status" data-version="${version}">Reload the page to update it.</p>
    ${failure}`
  return Page.make(snapshot, kind, note)
}
