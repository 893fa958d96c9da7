/** Bars as an SVG picture, for light and for dark pages. */

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const left = 190
const width = 640
const row = 26

const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 }
  .note { fill: #57606a; font-size: 12px }
  .bar { fill: #8c959f }
  .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .note { fill: #9198a1 } .bar { fill: #656c76 } .ours { fill: #4493f8 }
  }`

/** Horizontal bars, one a line: what it is of, how long, and what stands behind it. */
export const chart = ({ bars, note, title }) => {
  const longest = Math.max(...bars.map(({ value }) => value))
  const scale = (width - left - 90) / longest
  const height = 56 + bars.length * row + 12
  const lines = bars.map(({ isOurs, label, said, value }, at) => {
    const y = 56 + at * row
    const length = (value * scale).toFixed(1)
    return [
      `  <text x="${left - 10}" y="${y + 14}" text-anchor="end">${escape(label)}</text>`,
      `  <rect class="${isOurs ? "ours" : "bar"}" x="${left}" y="${y + 2}" width="${length}" height="${row - 9}" rx="2"/>`,
      `  <text x="${(left + Number(length) + 8).toFixed(1)}" y="${y + 14}">${escape(said)}</text>`,
    ].join("\n")
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
  <style>${style}
  </style>
  <text class="title" x="12" y="22">${escape(title)}</text>
  <text class="note" x="12" y="40">${escape(note)}</text>
${lines.join("\n")}
</svg>
`
}
