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

/** All runs of each contender (`runs`, one a round), and what they come to; `report` hears of each. */
export const race = async (contenders, { report = () => {}, rounds }) => {
  const runs = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    // The order turns, so that nobody always comes after the same one.
    for (let at = 0; at < contenders.length; at++) {
      const turn = (at + round) % contenders.length
      runs[turn].push(await run(contenders[turn].entry, contenders[turn]))
      report({ round, ...contenders[turn] })
    }
  }
  const counts = new Set(runs.flat().map(({ events, letters }) => `${events} ${letters}`))
  if (counts.size !== 1) throw new Error(`Not all have read the same: ${[...counts].join(", ")}`)
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
