/**
 * What each of the things that a client does costs a page: ours over undici with all that is on by default, beside ours with one thing
 * off, or one on that is off. Pages are small, so that it is the page that costs, not its bytes. `node costs.mjs` prints it.
 */
import { fileURLToPath } from "node:url"
import { race } from "./race.mjs"
import { start } from "./server.mjs"
import { halfway, median, spread } from "./statistics.mjs"
import { table } from "./table.mjs"

/** Who is measured: the first is what the others are measured by. */
const variants = [
  { name: "ours, as it is by default", variant: "reference" },
  { name: "without spans", variant: "spans" },
  { name: "with no retry allowed", variant: "retries" },
  { name: "without a credential", variant: "credential" },
  { name: "with a rate limit", variant: "rateLimit" },
  { name: "with a tracer and debug logs, kept nowhere", variant: "observed" },
]

/** In microseconds a page, round by round: `milliseconds` of the clock, or `cpu`, which has nothing of what else the machine does. */
const each = ({ runs }, pages, measure) => runs.map((one) => (1000 * one[measure]) / pages)

/** The median of what differs from the reference in the same round, and half the distance of the quartiles. */
const difference = (mine, reference) => {
  const differences = mine.map((time, round) => time - reference[round])
  return { difference: median(differences), deviation: halfway(differences) }
}

/** Each variant, and last the limit (undici and `JSON.parse`), with its microseconds a page, those of the processors, and what of these differs from the first one. */
export const costs = async ({ pages = 3_000, report, rounds = 5 } = {}) => {
  const { baseUrl, stop } = await start()
  const entry = { baseUrl, list: { events: 1, kilobytes: 1, pages }, warmUp: 1_000 }
  const contenders = [
    ...variants.map(({ name, variant }) => ({
      name,
      entry: { ...entry, client: "variants", options: { layer: "undici", variant } },
    })),
    { name: "limit: undici + JSON.parse", entry: { ...entry, client: "limit" } },
  ]
  const raced = await race(contenders, { report, rounds })
  stop()
  const reference = each(raced[0], pages, "cpu")
  return raced.map((one) => {
    const cpu = each(one, pages, "cpu")
    const microseconds = median(each(one, pages, "milliseconds"))
    return { name: one.name, microseconds, cpu: median(cpu), spread: spread(cpu), ...difference(cpu, reference) }
  })
}

const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(0)}`

/** The lines that tell it: a table. */
export const lines = (all) =>
  table(
    ["a page of 1 event", "µs", "CPU, µs", "±", "difference, CPU µs", "±, µs"],
    all.map(({ cpu, deviation, difference, microseconds, name, spread }, at) => [
      name,
      microseconds.toFixed(0),
      cpu.toFixed(0),
      `${(100 * spread).toFixed(0)} %`,
      ...(at === 0 ? [] : [signed(difference), deviation.toFixed(0)]),
    ]),
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${lines(await costs()).join("\n")}\n`)
