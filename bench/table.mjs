/** Tables of figures as markdown, which a terminal shows as well. */

const isNumeric = (text) => /^[±+−-]?\d/.test(text)

const padded = (text, width, right) => (right ? text.padStart(width) : text.padEnd(width))

/** The lines of a table: `rows` of texts under `head`; columns of numbers stand to the right. */
export const table = (head, rows) => {
  const columns = head.map((_, at) => rows.map((row) => row[at] ?? ""))
  const widths = head.map((title, at) => Math.max(title.length, 3, ...columns[at].map((text) => text.length)))
  const right = columns.map((texts) => texts.length > 0 && texts.every((text) => text === "" || isNumeric(text)))
  const line = (cells) => `| ${cells.map((text, at) => padded(text, widths[at], right[at])).join(" | ")} |`
  const rule = `| ${widths.map((width, at) => (right[at] ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`
  return [line(head), rule, ...rows.map((row) => line(head.map((_, at) => row[at] ?? "")))]
}
