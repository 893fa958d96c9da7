/** How time and memory grow with pages, event size, subscriptions and known events. Each point is measured in a process of its own. */
import { fileURLToPath } from "node:url"
import { median, run } from "./race.mjs"
import { start } from "./server.mjs"

const script = fileURLToPath(new URL("point.mjs", import.meta.url))

/**
 * The inputs that grow. A point reads `entry(size)`, after `entry(warm)` as a warm-up. `per` is the unit of the cost, and a size has
 * `units(size)` of these units. A point with several parts belongs to several curves.
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
    curves: ["watch: first poll", "watch: nothing changed"],
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

/** The slope of a line through the logarithms: 1 if twice the size costs twice the amount. */
const slope = (points, amount) => {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map((point) => Math.log(amount(point)))
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [x, y] = [mean(xs), mean(ys)]
  return (
    xs.reduce((sum, at, index) => sum + (at - x) * (ys[index] - y), 0) / xs.reduce((sum, at) => sum + (at - x) ** 2, 0)
  )
}

/** Adds the slope of the CPU time and the growth of the memory. Excludes the first point, where start-up costs have the most weight. */
const judge = (curve) => {
  const points = curve.points.slice(1)
  const steepness = slope(points, ({ cpu }) => cpu)
  const memoryGrowth = points.at(-1).rss / points[0].rss - 1
  return { ...curve, slope: steepness, isLinear: steepness <= 1.1, memoryGrowth, isFlat: memoryGrowth <= 0.15 }
}

/** Measures the points of one growth and returns its curves. */
const measure = async ({ curves, entry, per, sizes, title, unit, units, warm }, { baseUrl, report, rounds }) => {
  const runs = sizes.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, size] of sizes.entries()) {
      runs[at].push(await run({ baseUrl, warm: entry(warm), ...entry(size) }, { flags: ["--expose-gc"], script }))
      report(`round ${round + 1}: ${title}, ${size}`)
    }
  const points = (part) =>
    sizes.map((size, at) => {
      const [milliseconds, cpu] = ["milliseconds", "cpu"].map((name) =>
        median(runs[at].map(({ parts }) => parts[part][name])),
      )
      const [heap, rss] = ["heap", "rss"].map((name) => median(runs[at].map((one) => one[name])))
      return { size, milliseconds, cpu, each: cpu / units(size), rss, ...(heap === 0 ? {} : { heap }) }
    })
  return curves.map((name, part) => judge({ name, title, unit, per, points: points(part) }))
}

/** Measures every curve, or those of the named growths: times in milliseconds, memory in MiB. */
export const growth = async ({ names = growths.map(({ name }) => name), report, rounds }) => {
  const { baseUrl, stop } = await start()
  const all = []
  for (const one of growths.filter(({ name }) => names.includes(name)))
    all.push(...(await measure(one, { baseUrl, report, rounds })))
  stop()
  return all
}
