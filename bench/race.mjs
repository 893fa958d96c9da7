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

/** Half the distance between the quartiles, as a share of the median. */
const spread = (numbers) => (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / 2 / median(numbers)

/** Runs `contender.mjs` or another script with an entry as its argument, and parses what it prints. */
export const run = async (entry, { flags = [], script = contender } = {}) => {
  const args = [...flags, script, JSON.stringify(entry)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  return JSON.parse(stdout)
}

/** Each round starts with another client, and every second round goes backwards: no client always follows the same one. */
const order = (count, round) => {
  const rotated = Array.from({ length: count }, (_, at) => (at + round) % count)
  return round % 2 === 0 ? rotated : rotated.toReversed()
}

/** `ratio` compares with the first client in the same round. */
const summary = (runs, firsts) => ({
  ratio: median(runs.map(({ milliseconds }, round) => milliseconds / firsts[round].milliseconds)),
  milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
  spread: spread(runs.map(({ milliseconds }) => milliseconds)),
  cpu: median(runs.map(({ cpu }) => cpu)),
  rss: median(runs.map(({ rss }) => rss)),
})

/** Runs every entry in every round. Fails if the clients do not read the same events. */
export const race = async (entries, { report = () => {}, rounds }) => {
  const { baseUrl, stop } = await start()
  const runs = entries.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const index of order(entries.length, round)) {
      runs[index].push(await run({ baseUrl, ...entries[index] }))
      report(`round ${round + 1}: ${entries[index].name}`)
    }
  stop()
  const sums = new Set(runs.flat().map(({ events, sum }) => `${events} events (${sum})`))
  if (sums.size !== 1) throw new Error(`The clients read different events: ${[...sums].join(", ")}`)
  return entries.map(({ name }, index) => ({ name, ...summary(runs[index], runs[0]) }))
}

/** The clients. The others are compared with the first one, the limit. */
export const contenders = [
  { name: "limit: undici + JSON.parse", client: "limit" },
  { name: "official client", client: "official" },
  { name: "plain Effect and Schema.Class", client: "natural", options: { layer: "undici" } },
  ...["undici", "fetch", "node"].map((layer) => ({ name: `Vigil, ${layer}`, client: "ours", options: { layer } })),
]
