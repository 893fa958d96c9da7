/** Texts of events as plain text. Many contain HTML. */
import { compile, type FormatCallback, type HtmlToTextOptions } from "html-to-text"
import * as SafeText from "./SafeText.js"

/** Longer texts are cut: the parser slows down with every open element. */
const maxLength = 100_000

const maxDepth = 100

/** A `<` that begins no tag is plain text. */
const tag = /<[!/]?[a-z][^<>]*>|<!--/i
const entity = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i

const visibleUrl = (href: string): string => (/^https?:|^[^\s:/@]+@[^\s:/@]+$/i.test(href) ? href : "")

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"]

const line = (row: ReadonlyArray<{ readonly text: string }>): string =>
  row.map(({ text }) => text.replaceAll(/\s+/g, " ")).join(" | ")

/** A table row is one line, also if its cells contain paragraphs: columns would not fit the terminal. */
const row: FormatCallback = (element, walk, builder) => {
  builder.openTable()
  builder.openTableRow()
  for (const { children } of element.children.filter(({ name }) => name === "td" || name === "th")) {
    builder.openTableCell()
    walk(children, builder)
    builder.closeTableCell()
  }
  builder.closeTableRow()
  builder.closeTable({
    tableToString: (rows) => rows.map(line).join("\n"),
    leadingLineBreaks: 1,
    trailingLineBreaks: 1,
  })
}

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth, ellipsis: "…" },
  formatters: { row },
  selectors: [
    { selector: "a", options: { pathRewrite: visibleUrl, hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
    { selector: "img", options: { pathRewrite: () => "" } },
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "tr", format: "row" },
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
}

/** Compiled once: compiling takes longer than converting most texts. */
const convert = compile(options)
const convertLines = compile({ ...options, preserveNewlines: true })

/**
 * Converts HTML to text: links with their URL, one line per list item and table row. The result is not safe for a terminal.
 * @category conversions @since 0.2.0
 */
export const text = (html: string): string => {
  const start = SafeText.cut(html, maxLength)
  if (tag.test(start)) return convert(start).trim()
  return entity.test(start) ? convertLines(start).trim() : start
}
