/** Longer texts of a service: paragraphs of plain text, in which addresses of web pages are links. */
import * as PlainHtml from "../events/PlainHtml.js"
import { type Html, html } from "./Html.js"

/** An address in a text, up to what can't be part of one. */
const address = /(https?:\/\/[^\s<>"'`{}[\]]+)/i

/** What ends a sentence and not an address. */
const trailing = /(?<![.,;:!?)])[.,;:!?)]+$/

/** Where a link may lead: to a web page, and not with a name and a password. */
const target = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { href, password, protocol, username } = new URL(text)
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "" ? href : undefined
}

const link = (text: string): Html => {
  const end = trailing.exec(text)?.[0] ?? ""
  const shown = text.slice(0, text.length - end.length)
  const href = target(shown)
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}" target="_blank" rel="noreferrer noopener">${shown}</a>${end}`
}

/** Plain text with its links; its lines stay where the style keeps them. */
export const inline = (text: string): Html =>
  html`${text.split(address).map((piece, index) => (index % 2 === 1 ? link(piece) : html`${piece}`))}`

/** A text that may be HTML, as paragraphs of plain text; nothing when there is nothing in it. */
export const block = (text: string | null | undefined): Html => {
  const paragraphs = PlainHtml.text(text ?? "")
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
  return html`${paragraphs.map((paragraph) => html`<p class="prose" dir="auto">${inline(paragraph.trim())}</p>`)}`
}
