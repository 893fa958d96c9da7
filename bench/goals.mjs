/** The performance goals of the project: each with its limit, the measured value, and whether it is met. */
import { fileURLToPath } from "node:url"
import { firstLines, report, startRatio } from "./command.mjs"
import { fleet } from "./fleet.mjs"
import { page, values } from "./pages.mjs"
import { median, race, run } from "./race.mjs"
import { start } from "./server.mjs"

const atMost = (goal, limit, measured, unit = "") => ({
  goal,
  limit: `<= ${limit.toLocaleString("en")}${unit}`,
  measured,
  met: measured <= limit,
})
const atLeast = (goal, limit, measured) => ({
  goal,
  limit: `>= ${limit}`,
  measured,
  met: measured >= limit,
})

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
  // After 5 seconds, V8 still optimizes in the background, which would count.
  const entry = { list: { events: 1, kilobytes: 1, pages: 3_000 }, warmUp: 15_000 }
  const ours = { ...entry, name: "undici, 1 event", client: "ours", options: { layer: "undici" } }
  const { clients } = await race([{ ...entry, name: "limit, 1 event", client: "limit" }, ours], options)
  const [limit, one] = clients.map(({ cpu }) => median(cpu))
  const goal = "CPU time above the limit for a page of one event, against `JSON.parse` of a page of 100"
  return [atMost(goal, 0.11, (one - limit) / parseTime())]
}

/** The peak of resident memory over 50,000 and over 1,000,000 events, in MiB. */
const memory = async () => {
  const { baseUrl, stop } = await start()
  const peak = async (pages) => {
    const { rss } = await run({ baseUrl, client: "ours", list: { pages }, options: { layer: "undici" }, warmUp: 0 })
    return rss
  }
  const [few, many] = [await peak(500), await peak(10_000)]
  stop()
  return [atMost("peak memory of 1,000,000 events, against 50,000", 1.15, many / few)]
}

const waiting = async () => {
  const script = fileURLToPath(new URL("waiting.mjs", import.meta.url))
  const wait = (client, count = 20_000) => run({ client, count }, { script })
  const [calls, few, fibers] = [await wait("call"), await wait("call", 2_000), await wait("sleep")]
  const [lists, streams] = [await wait("ours"), await wait("stream")]
  return [
    atMost("20,000 calls that wait for one client: peak memory against fibers that sleep", 2, calls.rss / fibers.rss),
    atMost("20,000 calls that wait for one client: CPU time against 2,000", 12, calls.cpu / few.cpu),
    atMost("20,000 lists that wait: peak memory against streams in a span that sleep", 1.5, lists.rss / streams.rss),
  ]
}

const commands = async ({ rounds }) => [
  atMost("`vigil --version`, against `node -e 0`", 1.3, await startRatio(rounds)),
  atLeast("runs that print the first line before they request the second page", rounds, await firstLines(rounds)),
  atMost("`vigil events report` of 40,000 events of 1 KB", 4, await report(), " s"),
]

const fleets = async () => {
  const { cpu, perSecond } = await fleet()
  return [
    atMost("a fleet with pages of 82 KB: CPU time per poll", 7, cpu, " ms"),
    atLeast("a fleet on 2 cores: polls per second", 250, perSecond),
  ]
}

/** Measures the goals. `report` receives a line for each. */
export const goals = async ({ report, ...options }) => {
  const all = []
  for (const measure of [overhead, memory, waiting, commands, fleets])
    for (const result of await measure(options)) {
      report(`${result.met ? "met" : "NOT MET"}: ${result.goal}, ${result.measured}`)
      all.push(result)
    }
  return all
}
