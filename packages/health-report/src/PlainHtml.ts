/** Texts of events as plain text. Many contain HTML. */
import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text"

/** Longer texts are cut: the parser slows down with every open element. */
const maxLength = 100_000

const maxDepth = 100

/** A `<` that begins no tag is plain text. */
const tag = /<[!/]?[a-z][^<>]*>|<!--/i
const entity = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i

const visibleUrl = (href: string): string => (/^https?:|^[^\s:/@]+@[^\s:/@]+$/i.test(href) ? href : "")

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"]

/** A table row is one line: columns would not fit the terminal. */
const row: FormatCallback = (element, walk, builder) => {
  const cells = element.children.filter(({ name }) => name === "td" || name === "th")
  builder.openBlock({ leadingLineBreaks: 1 })
  for (const [index, cell] of cells.entries()) {
    if (index > 0) builder.addInline(" | ")
    walk(cell.children, builder)
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

const isInCell = ({ parent }: DomNode): boolean =>
  parent !== null && parent !== undefined && (parent.name === "td" || parent.name === "th" || isInCell(parent))

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
  limits: { maxDepth, ellipsis: "…" },
  formatters: { row, paragraph: block(2), division: block(1) },
  selectors: [
    { selector: "a", options: { pathRewrite: visibleUrl, hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
    { selector: "img", options: { pathRewrite: () => "" } },
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "tr", format: "row" },
    { selector: "p", format: "paragraph" },
    { selector: "div", format: "division" },
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
  const cut = html.length > maxLength ? `${html.slice(0, maxLength)}…` : html
  if (tag.test(cut)) return convert(cut).trim()
  return entity.test(cut) ? convertLines(cut).trim() : cut
}
