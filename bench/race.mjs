/** Runs contenders in turn, each run in a process of its own, round by round, so that what else the machine does hits all alike. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { median, spread } from "./statistics.mjs"

const execute = promisify(execFile)
const contender = fileURLToPath(new URL("contender.mjs", import.meta.url))

/** One run of a contender, or of another script that prints what came of an entry, in a process of its own. */
export const run = async (entry, { env = {}, flags = [], script = contender } = {}) => {
  const { stdout } = await execute(process.execPath, [...flags, script, JSON.stringify(entry)], {
    env: { ...process.env, ...env },
    maxBuffer: 1 << 24,
  })
  return JSON.parse(stdout)
}

/** Who runs when: each round begins with another one, and every second goes backwards, so that nobody always comes after the same. */
const order = (count, round) => {
  const turned = Array.from({ length: count }, (_, at) => (at + round) % count)
  return round % 2 === 0 ? turned : turned.toReversed()
}

/** All runs of each contender (`runs`, one a round), and what they come to; `report` hears of each. */
export const race = async (contenders, { report = () => {}, rounds }) => {
  const runs = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const turn of order(contenders.length, round)) {
      runs[turn].push(await run(contenders[turn].entry, contenders[turn]))
      report({ round, ...contenders[turn] })
    }
  }
  const sums = new Set(runs.flat().map(({ events, sum }) => `${events} events (${sum})`))
  if (sums.size !== 1) throw new Error(`Not all have read the same: ${[...sums].join(", ")}`)
  return contenders.map((one, index) => ({ ...one, ...summary(runs[index], runs[0]), runs: runs[index] }))
}

/** `ratio` is the time against the first contender's in the same round: what slows the machine down slows both. */
const summary = (runs, firsts) => ({
  ratio: median(runs.map(({ milliseconds }, round) => milliseconds / firsts[round].milliseconds)),
  milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
  spread: spread(runs.map(({ milliseconds }) => milliseconds)),
  cpu: median(runs.map(({ cpu }) => cpu)),
  rss: median(runs.map(({ rss }) => rss)),
})
