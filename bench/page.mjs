/** Writes the results as tables in Markdown. */
import { compare, median } from "./race.mjs"

const figure = (number) => (number >= 100 ? Math.round(number).toLocaleString("en") : number.toPrecision(3))
const percent = (share) => `${(100 * share).toFixed(0)} %`

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const race = ({ clients, drift, title }) => {
  const [limit] = clients
  const rows = clients.map((client) => {
    const { ratio, spread } = compare(client, limit)
    return [
      client.name,
      `${ratio.toFixed(2)} ×`,
      `± ${spread.toFixed(2)}`,
      ...[median(client.cpu), client.milliseconds].map((time) => `${time.toFixed(2)} ms`),
      `${client.rss.toFixed(0)} MiB`,
    ]
  })
  const head = ["client", "CPU time / limit", "spread", "CPU per page", "elapsed per page", "peak memory"]
  const load = drift > 0.1 ? " The machine had other load: do not compare these figures." : ""
  const note = `Rounds: ${limit.cpu.length}. The limit drifted by ${percent(drift)} at most within a round.${load}`
  return `### ${title}\n\n${table(head, rows)}\n\n${note}`
}

const goals = (all) => {
  const rows = all.map(({ goal, limit, measured, met }) => [goal, figure(measured), limit, met ? "met" : "NOT MET"])
  const head = ["goal", "measured", "limit", "result"]
  return `### Goals: ${all.filter(({ met }) => met).length} of ${all.length} met\n\n${table(head, rows)}`
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
