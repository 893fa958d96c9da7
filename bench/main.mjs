/**
 * `pnpm bench`: measures everything, and writes docs/benchmarks/. `pnpm bench --goals` holds the goals to one run, and prints them;
 * `pnpm bench growth`, `costs`, `micro` and `side-by-side` run one part. `--rounds=N` says how often each contender runs.
 */
import { parseArgs } from "node:util"
import { goals } from "./goals.mjs"
import { machine } from "./machine.mjs"
import { table } from "./table.mjs"

const { values } = parseArgs({
  allowPositionals: true,
  options: { goals: { type: "boolean", default: false }, rounds: { type: "string", default: "7" } },
})
const rounds = Number(values.rounds)
const print = (line) => process.stdout.write(`${line}\n`)
const note = (line) => process.stderr.write(`${line}\n`)

if (values.goals) {
  note(`Measuring on ${machine()}. Some minutes, on a machine that does nothing else.`)
  const all = await goals({
    rounds,
    report: ({ goal, limit, measured, met }) => note(`${met ? "met    " : "NOT MET"} ${goal}: ${measured} (${limit})`),
  })
  const rows = all.map(({ goal, limit, measured, met }) => [goal, limit, measured, met ? "met" : "NOT MET"])
  for (const line of table(["goal", "limit", "measured", "met or not"], rows)) print(line)
  print(`${all.filter(({ met }) => met).length} of ${all.length} goals met, on ${machine()}`)
}
