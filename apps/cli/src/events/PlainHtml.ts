/** The texts of events as plain text: many hold HTML, and most hold none. */
import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text"

/** What is longer is cut: the parser slows down with every element that is left open. */
const longest = 100_000

const deepest = 100

/** Whether there is markup in a text, or only an entity. A `<` that begins no tag is a sign like any other. */
const tag = /<[!/]?[a-z][^<>]*>|<!--/i
const entity = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i

/** Where a link leads, when a reader could go or write there. The scheme of an e-mail address is gone by now. */
const address = (href: string): string => (/^https?:|^[^\s:/@]+@[^\s:/@]+$/i.test(href) ? href : "")

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"]

/** A row of a table is a line: columns would not fit the terminal. */
const row: FormatCallback = (element, walk, builder) => {
  const cells = element.children.filter(({ name }) => name === "td" || name === "th")
  builder.openBlock({ leadingLineBreaks: 1 })
  for (const [index, cell] of cells.entries()) {
    if (index > 0) builder.addInline(" | ")
    walk(cell.children, builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** Whether it stands in a cell, which has to stay on its line. */
const isInCell = ({ parent }: DomNode): boolean =>
  parent !== null && parent !== undefined && (parent.name === "td" || parent.name === "th" || isInCell(parent))

/** A paragraph, unless it stands in a cell. */
const block =
  (lineBreaks: number): FormatCallback =>
  (element, walk, builder) => {
    if (isInCell(element)) {
      walk(element.children, builder)
      return builder.addInline(" ")
    }
    builder.openBlock({ leadingLineBreaks: lineBreaks })
    walk(element.children, builder)
    builder.closeBlock({ trailingLineBreaks: lineBreaks })
  }

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: deepest, ellipsis: "…" },
  formatters: { row, paragraph: block(2), division: block(1) },
  selectors: [
    { selector: "a", options: { pathRewrite: address, hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
    { selector: "img", options: { pathRewrite: () => "" } },
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "tr", format: "row" },
    { selector: "p", format: "paragraph" },
    { selector: "div", format: "division" },
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
}

/** Compiled once: that takes longer than most texts. */
const convert = compile(options)
const convertLines = compile({ ...options, preserveNewlines: true })

/**
 * The text of a piece of HTML: links with their address behind them, lists and tables a line an item and a row. A text without
 * markup stays as it is. What comes back is as hostile to a terminal as what went in.
 */
export const text = (html: string): string => {
  const cut = html.length > longest ? `${html.slice(0, longest)}…` : html
  if (tag.test(cut)) return convert(cut).trim()
  return entity.test(cut) ? convertLines(cut).trim() : cut
}
