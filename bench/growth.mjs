/**
 * What more of something costs in time and memory: pages, kilobytes, subscriptions, events that are known. Each point is measured in
 * a process of its own, one after the other. `node growth.mjs` prints all of it, `node growth.mjs sweep watch` some.
 */
import { fileURLToPath } from "node:url"
import { run } from "./race.mjs"
import { start } from "./server.mjs"
import { median } from "./statistics.mjs"
import { table } from "./table.mjs"

const script = fileURLToPath(new URL("point.mjs", import.meta.url))

/**
 * What grows. `entry` is what a point reads at a size, and `warm` what it reads before; `per` says what cost is told for, and `units`
 * how many of that a size has. A point that is measured in several parts is one of several curves.
 */
const growths = [
  {
    name: "pages",
    curves: ["pages"],
    title: "Pages of 1 event of 1 KB",
    unit: "pages",
    per: "page",
    sizes: [1_000, 10_000, 100_000],
    warm: 1_000,
    units: (pages) => pages,
    entry: (pages) => ({ client: "ours", list: { events: 1, kilobytes: 1, pages } }),
  },
  {
    name: "size",
    curves: ["size"],
    title: "Size of events: 100 pages of 20",
    unit: "KB",
    per: "MB",
    sizes: [1, 4, 16, 64],
    warm: 4,
    units: (kilobytes) => (kilobytes * 100 * 20) / 1024,
    entry: (kilobytes) => ({ client: "ours", list: { events: 20, kilobytes, pages: 100 } }),
  },
  {
    name: "sweep",
    curves: ["sweep"],
    title: "Subscriptions of a sweep: 1 page of 10 events of 1 KB each",
    unit: "subscriptions",
    per: "subscription",
    sizes: [1, 10, 100, 1_000],
    warm: 100,
    units: (count) => count,
    entry: (count) => ({ client: "sweep", count, list: { events: 10, kilobytes: 1, pages: 1 } }),
  },
  {
    name: "watch",
    curves: ["watch: first reading", "watch: nothing changed"],
    title: "Events that a watch knows: 1 KB each, 100 a page",
    unit: "events",
    per: "event",
    sizes: [1_000, 10_000, 100_000],
    warm: 1_000,
    units: (events) => events,
    entry: (events) => ({
      client: "watch",
      list: { events: 100, isUnlike: true, kilobytes: 1, pages: events / 100 },
    }),
  },
]

/** The slope of a line through the logarithms: 1 where twice the size is twice the amount. */
const slope = (points, amount) => {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map((point) => Math.log(amount(point)))
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [x, y] = [mean(xs), mean(ys)]
  return (
    xs.reduce((sum, at, index) => sum + (at - x) * (ys[index] - y), 0) / xs.reduce((sum, at) => sum + (at - x) ** 2, 0)
  )
}

/** What the points of a curve come to. What there is at the start weighs most in the first one, which is left out. */
const judged = (curve) => {
  const points = curve.points.slice(1)
  const [first, last] = [points[0], points.at(-1)]
  // Of the processors' time: what else the machine does takes less of it.
  const steepness = slope(points, ({ cpu }) => cpu)
  const growth = last.rss / first.rss - 1
  return {
    ...curve,
    slope: steepness,
    isLinear: steepness >= 0.9 && steepness <= 1.1,
    // The measure of the goal for memory.
    isFlat: growth <= 0.15,
    growth,
    kibibytesPerSize: ((last.rss - first.rss) * 1024) / (last.size - first.size),
  }
}

/** All points of one growth, as its curves. `report` hears of each point. */
const measure = async ({ curves, entry, per, sizes, title, unit, units, warm }, { baseUrl, report, rounds }) => {
  const runs = sizes.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, size] of sizes.entries()) {
      runs[at].push(await run({ baseUrl, warm: entry(warm), ...entry(size) }, { flags: ["--expose-gc"], script }))
      report({ round, size, title })
    }
  const points = (part) =>
    sizes.map((size, at) => {
      const [milliseconds, cpu] = ["milliseconds", "cpu"].map((name) =>
        median(runs[at].map(({ parts }) => parts[part][name])),
      )
      const [heap, rss] = ["heap", "rss"].map((name) => median(runs[at].map((one) => one[name])))
      return { size, milliseconds, cpu, each: cpu / units(size), rss, ...(heap === 0 ? {} : { heap }) }
    })
  return curves.map((name, part) => judged({ name, title, unit, per, points: points(part) }))
}

/** Every curve of what grows, of all or those named, with its points (times in milliseconds, memory in MiB) and what they come to. */
export const growth = async ({ names = growths.map(({ name }) => name), report = () => {}, rounds = 1 } = {}) => {
  const { baseUrl, stop } = await start()
  const all = []
  for (const one of growths.filter(({ name }) => names.includes(name)))
    all.push(...(await measure(one, { baseUrl, report, rounds })))
  stop()
  return all
}

const figure = (number) => (number >= 100 ? number.toFixed(0) : number.toPrecision(3))

const percent = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(0)} %`

/** Whether a curve is linear, and whether its memory is flat, in a line. */
export const verdict = ({ growth, isFlat, isLinear, kibibytesPerSize, name, points, slope, unit }) => {
  const cost = `${isLinear ? "linear" : slope < 0.9 ? "less than linear" : "MORE than linear"} (slope ${slope.toFixed(2)})`
  const [from, to] = [points[1].size, points.at(-1).size].map((size) => size.toLocaleString("en"))
  const memory = isFlat
    ? `flat (${percent(growth)})`
    : `grows (${percent(growth)}), ${figure(kibibytesPerSize)} KiB for each of the ${unit}`
  return `${name}: from ${from} to ${to} ${unit} CPU time is ${cost}, memory ${memory}.`
}

/** The lines that tell it: a table for each curve, and its verdict. */
export const lines = (curves) =>
  curves.flatMap((curve) => {
    const { name, per, points, title, unit } = curve
    const hasHeap = points.some(({ heap }) => heap !== undefined)
    const head = [unit, "ms", "CPU, ms", `CPU, ms per ${per}`, "peak RSS, MiB", ...(hasHeap ? ["heap kept, MiB"] : [])]
    const rows = points.map(({ cpu, each, heap, milliseconds, rss, size }) =>
      [size.toLocaleString("en"), figure(milliseconds), figure(cpu), figure(each), figure(rss)].concat(
        hasHeap ? figure(heap) : [],
      ),
    )
    return [`### ${title} (${name})`, "", ...table(head, rows), "", verdict(curve), ""]
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  process.stdout.write(`${lines(await growth(names.length === 0 ? {} : { names })).join("\n")}\n`)
}
