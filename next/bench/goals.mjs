/** The performance goals of the project: each with its limit, the measured value, and whether it is met. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { firstLines, starts } from "./command.mjs"
import { heap } from "./heap.mjs"
import { page, values } from "./pages.mjs"
import { contenders, median, race, run } from "./race.mjs"
import { start } from "./server.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

const atMost = (goal, limit, measured, { spread, unit = "" } = {}) => ({
  goal,
  limit: `<= ${limit}${unit}`,
  measured,
  spread,
  met: measured <= limit,
})
const atLeast = (goal, limit, measured) => ({ goal, limit: `>= ${limit}`, measured, met: measured >= limit })

const lists = async (options) => {
  const entries = contenders
    .filter(({ client, options }) => client !== "natural" && options?.layer !== "node")
    .map((one) => ({ ...one, list: { pages: 600 } }))
  const { clients } = await race(entries, options)
  const [, official, undici, fetch] = clients
  return [
    atMost("list over undici, CPU time against the limit", 1.45, undici.ratio, undici),
    atMost("list over fetch, CPU time against the limit", 1.6, fetch.ratio, fetch),
    atLeast("list over undici, times as fast as the official client", 4, official.ratio / undici.ratio),
  ]
}

const decoding = async (options) => {
  const entry = (client) => ({ name: client, client, list: { pages: 600 } })
  const [, checked] = (await race([entry("limit"), entry("checked")], options)).clients
  return [atMost("decoding in a plain undici loop, CPU time against the limit", 1.1, checked.ratio, checked)]
}

/** The median time of `JSON.parse` for a page of 100 events, in milliseconds. */
const parseTime = () => {
  const texts = values().map((value) => page(value, ""))
  const times = Array.from({ length: 50 }, () => {
    const started = performance.now()
    for (const text of texts) JSON.parse(text)
    return (performance.now() - started) / texts.length
  })
  return median(times)
}

const overhead = async (options) => {
  const list = { events: 1, kilobytes: 1, pages: 3_000 }
  const entries = [
    { name: "limit, 1 event", client: "limit", list },
    { name: "Vigil, 1 event", client: "ours", list, options: { layer: "undici" } },
  ]
  const [limit, undici] = (await race(entries, options)).clients
  const goal = "CPU time above the limit for a page of one event, against `JSON.parse` of a page of 100"
  return [atMost(goal, 0.15, (undici.cpu - limit.cpu) / parseTime())]
}

const heaps = () => {
  const { decode, parse } = heap()
  return [atMost("heap of a decoded event, against JSON.parse's", 1.05, decode / parse)]
}

/** The peak of resident memory, in MB, over 50,000 and over 1,000,000 events. */
const memory = async () => {
  const { baseUrl, stop } = await start()
  const peak = async (pages) => {
    const { rss } = await run({ baseUrl, client: "ours", list: { pages }, options: { layer: "undici" }, warmUp: 0 })
    return (rss * 2 ** 20) / 1e6
  }
  const [few, many] = [await peak(500), await peak(10_000)]
  stop()
  return [
    atMost("peak memory over 1,000,000 events, against 50,000", 1.15, many / few),
    atMost("peak memory over 1,000,000 events", 200, many, { unit: " MB" }),
  ]
}

const bundles = () => {
  const bin = `${root}/node_modules/.bin/size-limit`
  const sizes = JSON.parse(execFileSync(bin, ["--json"], { cwd: root, encoding: "utf8" }))
  const size = (name) => sizes.find((one) => one.name === `health-client: ${name}`).size
  return [
    atMost("bundle of a one-page client", 98_000, size("whole bundle"), { unit: " bytes" }),
    atMost("bundle of a one-page client, without effect", 10_000, size("without effect"), { unit: " bytes" }),
  ]
}

const commands = async ({ rounds }) => {
  const { help, nothing, version } = starts(rounds)
  const inTime = await firstLines(rounds)
  return [
    atMost("vigil --version, against node -e 0", 1.3, version / nothing),
    atMost("vigil --help, against node -e 0", 1.3, help / nothing),
    atLeast("runs that print the first line before they request the second page", rounds, inTime),
  ]
}

/** Measures every goal. `report` receives a line for each. */
export const goals = async ({ report, rounds }) => {
  const all = []
  for (const measure of [lists, decoding, overhead, heaps, memory, bundles, commands]) {
    const results = await measure({ report, rounds })
    for (const { goal, limit, measured, met, spread = 0 } of results)
      report(`${met ? "met    " : "NOT MET"} ${goal}: ${measured.toFixed(2)} ± ${spread.toFixed(2)} (${limit})`)
    all.push(...results)
  }
  return all
}
