/**
 * `pnpm bench [race] [goals] [growth]` measures all parts or some, and writes `results.json` and the page in docs/benchmarks. `--rounds=N` sets
 * how often each client runs (default: 5). `--dry-run` only prints.
 */
// @boundaries-ignore An older Node.js is replaced, as in every script.
import "../scripts/node.mjs"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { goals } from "./goals.mjs"
import { growth } from "./growth.mjs"
import { page } from "./page.mjs"
import { contenders, race } from "./race.mjs"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean" }, rounds: { type: "string", default: "5" } },
})
const rounds = Number(values.rounds)
if (!(rounds >= 1)) throw new Error("--rounds must be 1 or more.")
const report = (line) => console.error(line)
const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`

const races = [
  { title: "A list of 30,000 events, 100 per page", pages: 300, delay: 0 },
  { title: "A list of 10,000 events from a service that takes 10 ms per page", pages: 100, delay: 10 },
]
const parts = {
  race: async () => {
    const results = []
    for (const { delay, pages, title } of races) {
      const entries = contenders.map((one) => ({ ...one, list: { delay, pages } }))
      results.push({ title, ...(await race(entries, { report, rounds })) })
    }
    return results
  },
  goals: () => goals({ report, rounds }),
  growth: () => growth({ report, rounds: Math.min(rounds, 3) }),
}

const names = positionals.length > 0 ? positionals : Object.keys(parts)
const unknown = names.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`Unknown part: ${unknown.join(", ")}. The parts are ${Object.keys(parts).join(", ")}.`)
console.error(`Measuring on ${machine}. Other load on the machine makes the results useless.`)

const folder = fileURLToPath(new URL("../docs/benchmarks/", import.meta.url))
const [json, readme] = [join(folder, "results.json"), join(folder, "README.md")]
const results = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : {}
for (const name of names) results[name] = { machine, results: await parts[name]() }
if (values["dry-run"]) console.log(page(Object.fromEntries(names.map((name) => [name, results[name]]))))
else {
  writeFileSync(json, `${JSON.stringify(results, undefined, 2)}\n`)
  const [text] = readFileSync(readme, "utf8").split("<!-- results -->")
  writeFileSync(readme, `${text}<!-- results -->\n\n${page(results)}\n`)
  execFileSync(fileURLToPath(new URL("../node_modules/.bin/oxfmt", import.meta.url)), [json, readme])
}
