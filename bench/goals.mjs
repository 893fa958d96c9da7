/** The performance goals of the project: each with its limit, the measured value, and whether it is met. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { firstLines, starts } from "./command.mjs"
import { heap } from "./heap.mjs"
import { contenders, race, run } from "./race.mjs"
import { start } from "./server.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

const atMost = (goal, limit, measured, unit = "") => ({
  goal,
  limit: `<= ${limit}${unit}`,
  measured,
  met: measured <= limit,
})
const atLeast = (goal, limit, measured) => ({ goal, limit: `>= ${limit}`, measured, met: measured >= limit })

const lists = async (rounds) => {
  const entries = contenders
    .filter(({ client }) => client !== "natural")
    .map((one) => ({ ...one, list: { pages: 600 } }))
  const [, official, undici, fetch, node] = await race(entries, { rounds })
  return [
    atMost("list over undici, against the limit", 1.5, undici.ratio),
    atMost("list over fetch, against the limit", 1.7, fetch.ratio),
    atMost("list over Node's client, against the limit", 1.7, node.ratio),
    atLeast("list over undici, times as fast as the official client", 3.5, official.ratio / undici.ratio),
  ]
}

const decoding = async (rounds) => {
  const entry = (client) => ({ name: client, client, list: { pages: 600 } })
  const [, checked] = await race([entry("limit"), entry("checked")], { rounds })
  return [atMost("decoding in a plain undici loop, against the limit", 1.2, checked.ratio)]
}

const heaps = () => {
  const { decode, parse } = heap()
  return [atMost("heap of a decoded event, against JSON.parse's", 1.05, decode / parse)]
}

/** The service takes 10 ms for a page, and so does the consumer. */
const prefetch = async (rounds) => {
  const list = { delay: 10, events: 20, pages: 100 }
  const options = { consumer: 10, layer: "undici" }
  const entry = (prefetch) => ({
    name: `prefetch ${prefetch}`,
    client: "ours",
    list,
    options: { ...options, prefetch },
  })
  const [, on] = await race([entry(0), entry(1)], { rounds })
  return [atMost("prefetch 1, against off (10 ms a page on both sides)", 0.65, on.ratio)]
}

/** The peak of resident memory, in MB, over 50,000 and over 1,000,000 events. */
const memory = async () => {
  const { baseUrl, stop } = await start()
  const peak = async (pages) => {
    const { rss } = await run({ baseUrl, client: "ours", list: { pages }, options: { layer: "undici" } })
    return (rss * 2 ** 20) / 1e6
  }
  const [few, many] = [await peak(500), await peak(10_000)]
  stop()
  return [
    atMost("peak memory over 1,000,000 events, against 50,000", 1.15, many / few),
    atMost("peak memory over 1,000,000 events", 250, many, " MB"),
  ]
}

const bundles = () => {
  const bin = `${root}/node_modules/.bin/size-limit`
  const sizes = JSON.parse(execFileSync(bin, ["--json"], { cwd: root, encoding: "utf8" }))
  const size = (name) => sizes.find((one) => one.name === `health-client: ${name}`).size
  return [
    atMost("bundle of a one-page client", 92_000, size("whole bundle"), " bytes"),
    atMost("bundle of a one-page client, without effect", 8_000, size("without effect"), " bytes"),
  ]
}

const commands = async (rounds) => {
  const { help, nothing, version } = starts(rounds)
  const inTime = await firstLines(rounds)
  return [
    atMost("vigil --version, against node -e 0", 1.6, version / nothing),
    atMost("vigil --help, against node -e 0", 3, help / nothing),
    atLeast("runs that print the first line before they request the second page", rounds, inTime),
  ]
}

/** Measures every goal. `report` receives a line for each. */
export const goals = async ({ report, rounds }) => {
  const all = []
  for (const measure of [lists, decoding, heaps, prefetch, memory, bundles, commands]) {
    const results = await measure(rounds)
    for (const { goal, limit, measured, met } of results)
      report(`${met ? "met    " : "NOT MET"} ${goal}: ${measured.toFixed(2)} (${limit})`)
    all.push(...results)
  }
  return all
}
