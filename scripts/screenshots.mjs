/**
 * Draws the images of the README and the site in `docs/images`: a table as a terminal shows it, and the start of a report. The sandbox has a fixed
 * seed and clock. Needs Linux, a build and Chromium (`CHROMIUM_PATH`).
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { startSandbox } from "./sandbox.mjs"
import { environment, need, root, scratch } from "./workspace.mjs"

const columns = 124
const now = Date.UTC(2026, 10, 22, 9, 30)
const images = join(root, "docs/images")
const themes = {
  light: {
    back: "#ffffff",
    text: "#1f2328",
    dim: "#59636e",
    red: "#cf222e",
    magenta: "#8250df",
    yellow: "#9a6700",
    line: "#d1d9e0",
  },
  dark: {
    back: "#0d1117",
    text: "#f0f6fc",
    dim: "#9198a1",
    red: "#ff7b72",
    magenta: "#d2a8ff",
    yellow: "#d29922",
    line: "#3d444d",
  },
}
const styles = { 0: "text", 2: "dim", 31: "red", 33: "yellow", "1;35": "magenta" }

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** Draws lines with ANSI colors as an SVG. Every piece of text has a fixed column in any font. */
const draw = (lines, theme) => {
  const [width, height, margin] = [8, 20, 20]
  const pieces = []
  for (const [row, line] of lines.entries()) {
    let column = 0
    for (const part of `0m${line}`.split("\u001b[")) {
      const [, style, text] = /^([\d;]+)m(.*)$/.exec(part)
      for (const { 0: words, index } of text.matchAll(/\S+(?: \S+)*/g)) {
        const place = `x="${margin + (column + index) * width}" y="${margin + 14 + row * height}"`
        pieces.push(
          `<text ${place} fill="${theme[styles[style]]}" textLength="${words.length * width}">${escape(words)}</text>`,
        )
      }
      column += text.length
    }
  }
  const size = [columns * width + 2 * margin, lines.length * height + 2 * margin]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(" ")}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">
<rect x=".5" y=".5" width="${size[0] - 1}" height="${size[1] - 1}" rx="8" fill="${theme.back}" stroke="${theme.line}"/>
${pieces.join("\n")}
</svg>
`
}

/** Takes screenshots of the start of a report. */
const photograph = async (report) => {
  const { chromium } = createRequire(join(root, "packages/recipes/package.json"))("playwright-core")
  const executablePath = process.env.CHROMIUM_PATH ?? need("which", ["chromium"]).trim()
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 1000 } })
    await page.goto(`file://${report}`)
    await page.screenshot({ path: join(images, `report-${colorScheme}.png`) })
  }
  await browser.close()
}

const env = { ...environment, ...(await startSandbox(join(root, "packages/sandbox"), { now, seed: 1 })) }
const report = join(scratch("screenshots"), "report.html")
mkdirSync(images, { recursive: true })
// The command has the clock of the sandbox, so that the images do not depend on the day.
const vigil = `node --import "data:text/javascript,Date.now=()=>${now}" apps/cli/dist/bin.js`
const line = `events list --service "SQL Database" --status Active`
const list = `stty cols ${columns}; ${vigil} ${line} 2> /dev/null`
const table = need("script", ["--quiet", "--return", "--command", list, "/dev/null"], { env }).trimEnd().split("\r\n")
for (const [name, theme] of Object.entries(themes))
  writeFileSync(join(images, `events-${name}.svg`), draw([`$ vigil ${line}`, ...table], theme))
need("sh", ["-c", `${vigil} events report --since 7d --resources --out ${report}`], { env })
await photograph(report)
process.exit()
