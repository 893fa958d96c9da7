/** The performance goals of the project: each with its limit, the measured value, and whether it is met. */
import { execFileSync } from "node:child_process"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { firstLines, report, starts } from "./command.mjs"
import { fleet } from "./fleet.mjs"
import { page, values } from "./pages.mjs"
import { median, race, run } from "./race.mjs"
import { start } from "./server.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** `release` is the value of the release that `--release` names, measured in the same run. */
const atMost = (goal, limit, measured, { release, spread, unit = "" } = {}) => ({
  goal,
  limit: `<= ${limit.toLocaleString("en")}${unit}`,
  measured,
  spread,
  release,
  met: measured <= limit,
})
const atLeast = (goal, limit, measured, { release } = {}) => ({
  goal,
  limit: `>= ${limit}`,
  measured,
  release,
  met: measured >= limit,
})

/** The same entry, run by the release. */
const ofRelease = (release, entry) =>
  release === undefined
    ? []
    : [{ ...entry, name: `${entry.name} (release)`, script: join(release, "bench/contender.mjs") }]

const withRelease = (release, entries) => entries.flatMap((entry) => [entry, ...ofRelease(release, entry)])

/** Results by name. A spread belongs to the result, `release` is the ratio of the release. */
const ratios = ({ clients }, name) => {
  const [one, before] = [name, `${name} (release)`].map((wanted) => clients.find(({ name }) => name === wanted))
  return [one.ratio, { release: before?.ratio, spread: one.spread }]
}

const lists = async ({ release, ...options }) => {
  const entry = (name, client, layer) => ({ name, client, list: { pages: 300 }, options: { layer } })
  const ours = [entry("undici", "ours", "undici"), entry("fetch", "ours", "fetch"), entry("decoding", "checked")]
  const result = await race(
    [entry("limit", "limit"), entry("official", "official"), ...withRelease(release, ours)],
    options,
  )
  const [official] = ratios(result, "official")
  const [undici, { release: before }] = ratios(result, "undici")
  return [
    atMost("list over undici, CPU time against the limit", 1.12, ...ratios(result, "undici")),
    atMost("list over fetch, CPU time against the limit", 1.3, ...ratios(result, "fetch")),
    atLeast("list over undici, times as fast as the official client", 5, official / undici, {
      release: before && official / before,
    }),
    atMost("decoding in a plain undici loop, CPU time against the limit", 1.2, ...ratios(result, "decoding")),
  ]
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

const overhead = async ({ release, ...options }) => {
  // After 5 seconds, V8 still optimizes in the background, which would count.
  const entry = { list: { events: 1, kilobytes: 1, pages: 3_000 }, warmUp: 15_000 }
  const ours = { ...entry, name: "undici, 1 event", client: "ours", options: { layer: "undici" } }
  const [limit, one, before] = (
    await race([{ ...entry, name: "limit, 1 event", client: "limit" }, ...withRelease(release, [ours])], options)
  ).clients
  const share = ({ cpu }) => (cpu - limit.cpu) / parseTime()
  const goal = "CPU time above the limit for a page of one event, against `JSON.parse` of a page of 100"
  return [atMost(goal, 0.11, share(one), { release: before && share(before) })]
}

/** The peak of resident memory over 50,000 and over 1,000,000 events, in MiB. */
const memory = async ({ release }) => {
  const { baseUrl, stop } = await start()
  const peak = async (client, pages, script) => {
    const entry = { baseUrl, client, list: { pages }, options: { layer: "undici" }, warmUp: 0 }
    return (await run(entry, { script })).rss
  }
  const [limit, few, many] = [await peak("limit", 10_000), await peak("ours", 500), await peak("ours", 10_000)]
  const before = release && (await peak("ours", 10_000, join(release, "bench/contender.mjs")))
  stop()
  return [
    atMost("peak memory of 1,000,000 events, against the limit's", 1, many / limit, {
      release: before && before / limit,
    }),
    atMost("peak memory of 1,000,000 events, against 50,000", 1.15, many / few),
  ]
}

const waiting = async ({ release }) => {
  const script = join(root, "bench/waiting.mjs")
  const calls = (client, count, of = script) => run({ client, count }, { script: of })
  const [many, few, sleeping] = [await calls("ours", 20_000), await calls("ours", 2_000), await calls("sleep", 20_000)]
  const old = release && join(release, "bench/waiting.mjs")
  // The script imports the packages of its own folder.
  if (release) copyFileSync(script, old)
  const before = release && [
    await calls("ours", 20_000, old),
    await calls("ours", 2_000, old),
    await calls("sleep", 20_000, old),
  ]
  return [
    atMost(
      "20,000 calls that wait for one client: peak memory against fibers that sleep",
      1.35,
      many.rss / sleeping.rss,
      {
        release: before && before[0].rss / before[2].rss,
      },
    ),
    atMost("20,000 calls that wait for one client: CPU time against 2,000", 12, many.cpu / few.cpu, {
      release: before && before[0].cpu / before[1].cpu,
    }),
  ]
}

const bundles = ({ release }) => {
  const sizes = (folder) => {
    const all = JSON.parse(
      execFileSync(join(root, "node_modules/.bin/size-limit"), ["--json"], { cwd: folder, encoding: "utf8" }),
    )
    return (name) => all.find((one) => one.name === `health-client: ${name}`).size
  }
  const [size, before = () => undefined] = [root, ...(release === undefined ? [] : [release])].map(sizes)
  const bytes = (name) => [size(name), { release: before(name), unit: " bytes" }]
  return [
    atMost("bundle of a one-page client", 65_000, ...bytes("whole bundle")),
    atMost("bundle of a one-page client, without effect", 15_000, ...bytes("without effect")),
  ]
}

/** The time of importing a module above an empty program, in milliseconds. */
const imports = ({ release, rounds }) => {
  const time = (folder, code) => {
    const started = performance.now()
    execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: join(folder, "bench") })
    return performance.now() - started
  }
  const all = (folder, code) => median(Array.from({ length: rounds + 4 }, () => time(folder, code)))
  const empty = all(root, "")
  const above = (folder) => all(folder, 'import "@vigil/health-client/HealthClient"') - empty
  return [
    atMost("import of `HealthClient` above an empty program", 110, above(root), {
      release: release && above(release),
      unit: " ms",
    }),
  ]
}

const commands = async ({ release, rounds }) => {
  const { list, version } = await starts(root, rounds)
  const before = release && (await starts(release, rounds))
  return [
    atMost("`vigil --version`, against `node -e 0`", 1.3, version, { release: before?.version }),
    atMost("`vigil events list` of one page, against `node -e 0`", 4, list, { release: before?.list }),
    atLeast("runs that print the first line before they request the second page", rounds, await firstLines(rounds)),
    atMost("`vigil events report` of 40,000 events of 1 KB", 4, await report(root), {
      release: release && (await report(release)),
      unit: " s",
    }),
  ]
}

const fleets = async () => {
  const { cpu, perSecond } = await fleet()
  return [
    atMost("a fleet with pages of 82 KB: CPU time per poll", 7, cpu, { unit: " ms" }),
    atLeast("a fleet on 2 cores: polls per second", 250, perSecond),
  ]
}

/** Measures every goal. `report` receives a line for each. */
export const goals = async ({ report, ...options }) => {
  const all = []
  for (const measure of [lists, overhead, memory, waiting, bundles, imports, commands, fleets])
    for (const result of await measure({ report, ...options })) {
      const { goal, limit, measured, met, release } = result
      const before = release === undefined ? "" : `, release ${release.toFixed(2)}`
      report(`${met ? "met    " : "NOT MET"} ${goal}: ${measured.toFixed(2)}${before} (${limit})`)
      all.push(result)
    }
  return all
}
