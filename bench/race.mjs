/** Races clients, each run in its own process. Rounds are interleaved, so that other load on the machine slows every client alike. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { start } from "./server.mjs"

const contender = fileURLToPath(new URL("contender.mjs", import.meta.url))

const quantile = (numbers, share) => {
  const all = numbers.toSorted((one, other) => one - other)
  const at = share * (all.length - 1)
  const [low, high] = [all[Math.floor(at)], all[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (numbers) => quantile(numbers, 0.5)

/** Half the distance between the quartiles. */
export const spread = (numbers) => (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / 2

/** Runs `contender.mjs` or another script with an entry as its argument, and parses what it prints. */
export const run = async (entry, { flags = [], script = contender } = {}) => {
  const args = [...flags, script, JSON.stringify(entry)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout)
}

/** Each round starts with another client, and every second round goes backwards: no client always follows the same one. */
const order = (all, round) => {
  const rotated = all.map((_, at) => all[(at + round) % all.length])
  return round % 2 === 0 ? rotated : rotated.toReversed()
}

/** Medians: the ratio of CPU time to the limit of the same round, with its spread; CPU and elapsed time per page, in ms; memory in MiB. */
const summary = (runs, limits, pages) => {
  const ratios = runs.map(({ cpu }, round) => cpu / limits[round])
  return {
    ratio: median(ratios),
    spread: spread(ratios),
    cpu: median(runs.map(({ cpu }) => cpu)) / pages,
    milliseconds: median(runs.map(({ milliseconds }) => milliseconds)) / pages,
    rss: median(runs.map(({ rss }) => rss)),
  }
}

/**
 * Runs every entry in every round. The first entry is the limit: it runs first and last in each round, and the mean of both runs counts.
 * `drift` is the largest difference of the two. Fails if the clients do not read the same events.
 */
export const race = async ([limit, ...others], { report = () => {}, rounds }) => {
  const { baseUrl, stop } = await start()
  const runOne = async (entry, round) => {
    const { script, ...settings } = entry
    const result = await run({ baseUrl, ...settings }, { script })
    report(`round ${round + 1}: ${entry.name}, ${(result.cpu / entry.list.pages).toFixed(2)} ms of CPU time per page`)
    return result
  }
  const [first, last, runs] = [[], [], new Map(others.map((entry) => [entry, []]))]
  for (let round = 0; round < rounds; round++) {
    first.push(await runOne(limit, round))
    for (const entry of order(others, round)) runs.get(entry).push(await runOne(entry, round))
    last.push(await runOne(limit, round))
  }
  stop()
  const all = [...first, ...last, ...[...runs.values()].flat()]
  const sums = new Set(all.map(({ events, sum }) => `${events} events (${sum})`))
  if (sums.size !== 1) throw new Error(`The clients read different events: ${[...sums].join(", ")}`)
  const limits = first.map(({ cpu }, round) => (cpu + last[round].cpu) / 2)
  const { pages } = limit.list
  return {
    drift: Math.max(...first.map(({ cpu }, round) => Math.abs(last[round].cpu / cpu - 1))),
    clients: [
      { name: limit.name, ...summary([...first, ...last], [...limits, ...limits], pages) },
      ...others.map((entry) => ({ name: entry.name, ...summary(runs.get(entry), limits, pages) })),
    ],
  }
}

/** The clients. The others are compared with the first one, the limit. */
export const contenders = [
  { name: "limit: undici + JSON.parse", client: "limit" },
  { name: "official client", client: "official" },
  { name: "plain Effect and Schema.Class", client: "natural", options: { layer: "undici" } },
  ...["undici", "fetch", "node"].map((layer) => ({ name: `Vigil, ${layer}`, client: "ours", options: { layer } })),
]
