/** The report as a page that updates itself while it is open. Without scripts, it is complete when it is loaded. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Snapshot } from "./Snapshot.js"
import { html } from "./internal/html.js"
import * as Items from "./internal/items.js"
import * as Page from "./internal/page.js"

/** Replaces the head and the body of the report after a poll, and keeps the filters and what is open and focused. */
const script = `
const keyOf = (one) => one.querySelector("summary").querySelector(".name, .id")?.textContent
const say = (text) => { document.getElementById("live").textContent = text }
// A URL with a user and a password cannot be requested.
const url = location.origin + location.pathname
let shown = document.getElementById("live").dataset.version
const replace = (next) => {
  const before = new Map([...document.querySelectorAll("details")].map((one) => [keyOf(one), one.open]))
  const focused = document.activeElement?.matches("summary") ? keyOf(document.activeElement.parentElement) : undefined
  const box = document.getElementById("search")
  const field = box.contains(document.activeElement) ? document.activeElement : undefined
  for (const select of box.querySelectorAll("select")) {
    const { value } = select
    select.replaceChildren(...next.querySelector(\`#search [name=\${select.name}]\`).children)
    choose(select, value)
  }
  next.getElementById("search").replaceWith(box)
  document.title = next.title
  for (const name of ["header", "main"]) document.querySelector(name).replaceWith(next.querySelector(name))
  for (const one of document.querySelectorAll("details")) {
    const key = keyOf(one)
    if (key === undefined) continue
    one.open = before.get(key) ?? one.open
    if (key === focused) one.querySelector("summary").focus({ preventScroll: true })
  }
  field?.focus({ preventScroll: true })
  search()
  // A new element is not the target of the URL.
  document.getElementById(location.hash.slice(1))?.classList.add("linked")
}
addEventListener("hashchange", () => document.querySelector(".linked")?.classList.remove("linked"))
const live = "This page updates itself."
const update = async () => {
  try {
    const response = await fetch(url, { cache: "no-cache" })
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
  scriptHash: "osIjgHJWyxSw0APCzLxWKx6x9ftRY+30O+JfCYMtKDQ=",
  policy: ["connect-src 'self'"],
  footer: "Made by vigil.",
}

/**
 * The value of the header `Content-Security-Policy` for the page. It also forbids frames, which an element of the page can't.
 * @category constants @since 0.2.0
 */
export const policy = `${Page.policyOf(kind)}; frame-ancestors 'none'`

/**
 * The ID of the element of an event on the page, for links; `undefined` if its tracking ID has other characters than letters, digits, `_` and `-`.
 * @category links @since 0.2.0
 */
export const anchor = (event: AnyEvent): string | undefined => Items.anchorOf(event)

/** What a server says about the page of its last poll. @category models @since 0.2.0 */
export interface Poll {
  /** Changes with each poll, so that an open page notices a new one. */
  readonly version: string
}

/**
 * Renders a snapshot as a page of a server. While it is open, it requests its own URL every five seconds and replaces its content. Without
 * scripts, it is complete when it is loaded.
 * @category rendering @since 0.2.0
 */
export const make = (snapshot: Snapshot, poll: Poll): string => [...chunks(snapshot, poll)].join("")

/** Like `make`, in parts that are rendered when they are needed: a server can do other things between them. @category rendering @since 0.4.0 */
export const chunks = (snapshot: Snapshot, { version }: Poll): Iterable<string> => {
  const note = html`<p class="quiet" id="live" role="status" data-version="${version}">
    Reload the page to update it.
  </p>`
  return Page.chunks(snapshot, kind, note)
}
