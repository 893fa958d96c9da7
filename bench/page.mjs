/** Writes the results as tables in Markdown. The formatter aligns them. */

const figure = (number) => (number >= 100 ? Math.round(number).toLocaleString("en") : number.toPrecision(3))
const percent = (share) => `${(100 * share).toFixed(0)} %`

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const race = ({ clients, pages, title }) => {
  const rows = clients.map(({ cpu, milliseconds, name, ratio, rss, spread }) =>
    [name, `${ratio.toFixed(2)} ×`, `${(milliseconds / pages).toFixed(2)} ms`, `± ${percent(spread)}`].concat(
      `${(cpu / pages).toFixed(2)} ms`,
      `${rss.toFixed(0)} MiB`,
    ),
  )
  return `### ${title}\n\n${table(["client", "time", "per page", "spread", "CPU per page", "peak memory"], rows)}`
}

const goals = (all) => {
  const rows = all.map(({ goal, limit, measured, met }) => [goal, limit, figure(measured), met ? "met" : "NOT MET"])
  return `### Goals: ${all.filter(({ met }) => met).length} of ${all.length} met\n\n${table(["goal", "limit", "measured", "result"], rows)}`
}

const curve = ({ isFlat, isLinear, memoryGrowth, name, per, points, slope, title, unit }) => {
  const rows = points.map(({ cpu, each, milliseconds, rss, size }) => [
    size.toLocaleString("en"),
    ...[milliseconds, cpu, each, rss].map(figure),
  ])
  const verdict = `CPU time is ${isLinear ? "linear or less" : "MORE than linear"} (slope ${slope.toFixed(2)}). Memory ${isFlat ? "is flat" : "grows"} (${percent(memoryGrowth)}).`
  return `#### ${title} (${name})\n\n${table([unit, "ms", "CPU, ms", `CPU, ms per ${per}`, "peak RSS, MiB"], rows)}\n\n${verdict}`
}

/** The page of the results of every part: `{ race, goals, growth }`, each with the machine that measured it. */
export const page = (results) =>
  [
    ["race", (all) => all.map(race)],
    ["goals", (all) => [goals(all)]],
    ["growth", (all) => ["### Growth", ...all.map(curve)]],
  ]
    .filter(([name]) => name in results)
    .flatMap(([name, write]) => [...write(results[name].results), `Measured on ${results[name].machine}.`])
    .join("\n\n")
