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

/** The CPU time of a client against another of the same rounds: the median of the ratios, and half the distance between their quartiles. */
export const compare = (one, other) => {
  const ratios = one.cpu.map((cpu, round) => cpu / other.cpu[round])
  return { ratio: median(ratios), spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 }
}

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

/** The CPU time per page of each round; the medians of the elapsed time per page; both in ms. The median memory in MiB. */
const summary = ({ list, name }, runs, cpu = runs.map((one) => one.cpu)) => ({
  name,
  cpu: cpu.map((time) => time / list.pages),
  milliseconds: median(runs.map(({ milliseconds }) => milliseconds)) / list.pages,
  rss: median(runs.map(({ rss }) => rss)),
})

/**
 * Runs every entry in every round. The first entry is the limit: it runs first and last in each round, and the mean of both runs counts.
 * `drift` is the largest difference of the two. Fails if the clients do not read the same events.
 */
export const race = async ([limit, ...others], { report = () => {}, rounds }) => {
  const { baseUrl, stop } = await start()
  const runOne = async (entry, round) => {
    const result = await run({ baseUrl, ...entry })
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
  return {
    drift: Math.max(...first.map(({ cpu }, round) => Math.abs(last[round].cpu / cpu - 1))),
    clients: [summary(limit, [...first, ...last], limits), ...others.map((entry) => summary(entry, runs.get(entry)))],
  }
}

/** The clients. The others are compared with the first one, the limit. */
export const contenders = [
  { name: "limit: undici + JSON.parse", client: "limit" },
  { name: "limit in an Effect program", client: "limit", inEffect: true },
  { name: "… with every field checked", client: "checked", inEffect: true, options: { layer: "undici" } },
  { name: "… with every field checked, over fetch", client: "checked", inEffect: true, options: { layer: "fetch" } },
  { name: "official client", client: "official" },
  { name: "plain Effect and Schema.Class", client: "natural", inEffect: true, options: { layer: "undici" } },
  ...["undici", "fetch", "node"].map((layer) => ({
    name: `Vigil, ${layer}`,
    client: "ours",
    inEffect: true,
    options: { layer },
  })),
]
