/**
 * `pnpm bench`: measures all there is, and writes what is to be kept to docs/benchmarks/; `pnpm bench side-by-side growth costs micro paging goals` does a
 * part of it. `pnpm bench --goals` holds the project's goals to one run. `--rounds=N` says how often each contender runs.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { chart } from "./chart.mjs"
import * as costs from "./costs.mjs"
import { goals } from "./goals.mjs"
import * as growth from "./growth.mjs"
import { machine } from "./machine.mjs"
import { compare } from "./side-by-side.mjs"
import { table } from "./table.mjs"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { goals: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
})
const rounds = Number(values.rounds)
if (!(rounds >= 1)) throw new Error("--rounds is a number of 1 or more")
const place = fileURLToPath(new URL("../docs/benchmarks/", import.meta.url))
const note = (line) => process.stderr.write(`${line}\n`)

/** Shows a part's lines, and keeps them beside the machine that they come from. */
const keep = (name, title, lines, command = `pnpm bench ${name}`) => {
  mkdirSync(place, { recursive: true })
  process.stdout.write(`${title}\n\n${lines.join("\n")}\n\n`)
  const from = `Measured by \`${command}\` on ${machine()}.`
  writeFileSync(join(place, `${name}.md`), `# ${title}\n\n${lines.join("\n")}\n\n${from}\n`)
}

const script =
  (path, ...flags) =>
  () =>
    execFileSync(process.execPath, [...flags, fileURLToPath(new URL(path, import.meta.url))], { stdio: "inherit" })

const multiple = (number) => `${number.toFixed(2)} ×`

const sideBySide = async () => {
  const report = ({ name, round }) => note(`round ${round + 1}: ${name}`)
  const measured = [
    { delay: 0, file: "side-by-side", pages: 300, title: "A list of 30,000 events, 100 a page, against the limit" },
    { delay: 10, file: "side-by-side-10ms", pages: 100, title: "10,000 events from a service that takes 10 ms a page" },
  ]
  const lines = []
  for (const { delay, file, pages, title } of measured) {
    const all = await compare({ delay, pages, report, rounds })
    const rows = all.map(({ cpu, milliseconds, name, ratio, rss, spread }) => [
      name,
      multiple(ratio),
      `${(milliseconds / pages).toFixed(2)} ms`,
      `± ${(100 * spread).toFixed(0)} %`,
      `${(cpu / pages).toFixed(2)} ms`,
      `${rss.toFixed(0)} MiB`,
    ])
    const bars = all.map(({ name, ratio }) => ({
      label: name,
      value: ratio,
      said: multiple(ratio),
      isOurs: name.startsWith("Vigil"),
    }))
    writeFileSync(
      join(place, `${file}.svg`),
      chart({ bars, title, note: "Time of the whole client; shorter is faster." }),
    )
    lines.push(`## ${title}`, "", `![${title}](${file}.svg)`, "")
    lines.push(...table(["client", "time", "a page", "spread", "CPU a page", "peak memory"], rows), "")
  }
  lines.push(
    "Medians of interleaved rounds, each run a process of its own that has read as many pages before, up to 300; the spread is half the distance of the",
    "quartiles. Only Vigil and the natural way check what they read; the official client makes dates of texts and drops unknown fields.",
  )
  keep("side-by-side", "Clients beside each other", lines)
}

const held = async () => {
  const report = ({ goal, limit, measured, met }) =>
    note(`${met ? "met    " : "NOT MET"} ${goal}: ${measured} (${limit})`)
  const all = await goals({ rounds, report })
  const rows = all.map(({ goal, limit, measured, met }) => [goal, limit, measured, met ? "met" : "NOT MET"])
  const count = `${all.filter(({ met }) => met).length} of ${all.length} goals met.`
  keep("goals", "Goals", [...table(["goal", "limit", "measured", "met or not"], rows), "", count], "pnpm bench --goals")
}

const parts = {
  "side-by-side": sideBySide,
  goals: held,
  growth: async () =>
    keep("growth", "What more costs", growth.lines(await growth.growth({ rounds: Math.min(rounds, 3) }))),
  costs: async () => keep("costs", "What each thing costs a page", costs.lines(await costs.costs({ rounds }))),
  micro: script("micro.mjs", "--expose-gc"),
  paging: script("../packages/paging/bench/heap.mjs"),
}

const chosen = values.goals ? ["goals"] : positionals.length > 0 ? positionals : Object.keys(parts)
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}: ${Object.keys(parts).join(", ")}`)
note(`Measuring on ${machine()}: on a quiet machine, or the figures say little.`)
for (const name of chosen) await parts[name]()
