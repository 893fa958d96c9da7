/** Long texts: paragraphs of plain text with links. */
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import { type Html, html, nothing } from "./html.js"

const urlPattern = /(https?:\/\/[^\s<>"'`{}[\]]+)/i

const trailing = /(?<![.,;:!?)])[.,;:!?)]+$/

/** A URL without a user or password. */
const target = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { href, password, username } = new URL(text)
  return username === "" && password === "" ? href : undefined
}

const link = (text: string): Html => {
  const end = trailing.exec(text)?.[0] ?? ""
  const url = text.slice(0, text.length - end.length)
  const href = target(url)
  return href === undefined
    ? html`${text}`
    : html`<a href="${href}" target="_blank" rel="noreferrer noopener">${url}</a>${end}`
}

export const inline = (text: string): Html =>
  html`${text.split(urlPattern).map((piece, index) => (index % 2 === 1 ? link(piece) : html`${piece}`))}`

const paragraphs = (text: string): Html => {
  const all = PlainHtml.text(text)
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
  return html`${all.map((paragraph) => html`<p class="prose" dir="auto">${inline(paragraph.trim())}</p>`)}`
}

/** Of the known texts together, in UTF-16 code units. */
const maxLength = 32_000_000

/** Events share texts, pages of a server repeat them, and converting HTML takes most of the time of both. */
const known = new Map<string, Html>()
let length = 0

export const block = (text: string | null | undefined): Html => {
  if (!text) return nothing
  const before = known.get(text)
  if (before !== undefined) return before
  const made = paragraphs(text)
  if (length + text.length > maxLength) {
    known.clear()
    length = 0
  }
  known.set(text, made)
  length += text.length
  return made
}
