/** Every goal that the project has set itself: what was measured, in one run, and whether it is met. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { firstLines, starts } from "./command.mjs"
import { heap } from "./heap.mjs"
import { memory } from "./memory.mjs"
import { prefetch } from "./prefetch.mjs"
import { race } from "./race.mjs"
import { start } from "./server.mjs"
import { compare } from "./side-by-side.mjs"

const atMost = (goal, limit, measured, write = (number) => number.toFixed(2)) => ({
  goal,
  limit: `<= ${write(limit)}`,
  measured: write(measured),
  met: measured <= limit,
})

const atLeast = (goal, limit, measured) => ({
  goal,
  limit: `>= ${limit.toFixed(2)}`,
  measured: measured.toFixed(2),
  met: measured >= limit,
})

const bytes = (number) => number.toLocaleString("en")
const whole = (unit) => (number) => `${Math.round(number)} ${unit}`

const lists = async (rounds) => {
  const layers = ["undici", "fetch", "node"]
  const names = ["limit: undici + JSON.parse", "official client", ...layers.map((layer) => `Vigil, ${layer}`)]
  const [, official, undici, fetch, node] = await compare({ names, pages: 600, rounds })
  return [
    atMost("list over undici, against the limit", 1.5, undici.ratio),
    atMost("list over fetch, against the limit", 1.7, fetch.ratio),
    atMost("list over Node's client, against the limit", 1.7, node.ratio),
    atLeast("list over undici, times as fast as the official client", 3.5, official.ratio / undici.ratio),
  ]
}

const decoding = async (rounds) => {
  const { baseUrl, stop } = await start()
  const entry = (client) => ({ name: client, entry: { baseUrl, client, list: { pages: 600 } } })
  const [, checked] = await race([entry("limit"), entry("checked")], { rounds })
  stop()
  return [atMost("decoding in a plain undici loop, against the limit", 1.2, checked.ratio)]
}

const heaps = () => {
  const { decode, parse } = heap()
  return [atMost("heap of a decoded event, against JSON.parse's", 1.05, decode / parse)]
}

const ahead = async (rounds) => [
  atMost("prefetch 1, against off (10 ms a page on both sides)", 0.65, await prefetch({ rounds })),
]

const memories = async () => {
  const [few, many] = await memory()
  return [
    atMost("peak memory over 1,000,000 events, against 50,000", 1.15, many.rss / few.rss),
    atMost("peak memory over 1,000,000 events", 250, many.rss, whole("MB")),
  ]
}

const bundles = () => {
  const sizes = fileURLToPath(new URL("../scripts/size.mjs", import.meta.url))
  const uses = JSON.parse(execFileSync(process.execPath, [sizes, "--json"], { encoding: "utf8" }))
  const { own, whole } = uses.find(({ name }) => name.startsWith("health-client"))
  return [
    atMost("bundle of a one-page client, bytes", 92_000, whole, bytes),
    atMost("of which ours, bytes", 8_000, own, bytes),
  ]
}

const commands = async (rounds) => {
  const { help, nothing, version } = starts(rounds)
  const inTime = await firstLines(rounds)
  return [
    atMost("vigil --version, against node -e 0", 1.6, version / nothing),
    atMost("vigil --help, against node -e 0", 3, help / nothing),
    {
      goal: "first line out before the second page is asked for",
      limit: "always",
      measured: `${inTime} of ${rounds}`,
      met: inTime === rounds,
    },
  ]
}

/** All goals; `report` hears of each as it is measured. */
export const goals = async ({ report, rounds }) => {
  const measures = [
    () => lists(rounds),
    () => decoding(rounds),
    heaps,
    () => ahead(rounds),
    memories,
    bundles,
    () => commands(rounds),
  ]
  const all = []
  for (const take of measures) {
    const taken = await take()
    taken.forEach(report)
    all.push(...taken)
  }
  return all
}
