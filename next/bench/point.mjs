/**
 * Measures one point of a curve in its own process: warms up with a small list, repeats the measured list for two seconds of CPU time, and
 * prints the medians. `node --expose-gc point.mjs '{"client":"ours","list":{"pages":200},"baseUrl":"…"}'`
 */
import { subscription } from "./server.mjs"
import { median } from "./race.mjs"

const { baseUrl, client, warm, ...entry } = JSON.parse(process.argv[2])
const { read } = await import(`./clients/${client}.mjs`)

/** The elapsed time and the CPU time of this process, in milliseconds. */
const now = () => {
  const { system, user } = process.cpuUsage()
  return { milliseconds: performance.now(), cpu: (system + user) / 1000 }
}

const since = (start) => {
  const { cpu, milliseconds } = now()
  return { milliseconds: milliseconds - start.milliseconds, cpu: cpu - start.cpu }
}

/** Reads `count` lists completely. Returns the times of the parts, and the used heap after the first part. */
const readAll = async ({ count = 1, list }) => {
  const subscriptions = Array.from({ length: count }, (_, number) => subscription({ ...list, number }))
  const parts = []
  let [events, heap] = [0, 0]
  let started = now()
  const onPoll = () => {
    parts.push(since(started))
    if (parts.length === 1) {
      globalThis.gc()
      heap = process.memoryUsage().heapUsed / 2 ** 20
    }
    started = now()
  }
  const target = { baseUrl, layer: "undici", subscription: subscriptions[0], subscriptions, token: "a.b.c" }
  await read({ ...target, onPoll }, (page) => {
    events += page.length
  })
  if (parts.length === 0) parts.push(since(started))
  const expected = count * list.pages * list.events
  if (events !== expected) throw new Error(`Received ${events} events instead of ${expected}`)
  return { heap, parts }
}

/** Repeats a measurement until it has used this much CPU time. */
const repeat = async (entry, milliseconds) => {
  const start = now()
  const all = []
  do all.push(await readAll(entry))
  while (since(start).cpu < milliseconds)
  return all
}

await repeat(warm, 5_000)
// The service makes its pages on the first request.
await fetch(`${baseUrl}/subscriptions/${subscription(entry.list)}/events`).then((response) => response.arrayBuffer())
globalThis.gc()
const all = await repeat(entry, 2_000)
const parts = all[0].parts.map((_, at) => ({
  milliseconds: median(all.map(({ parts }) => parts[at].milliseconds)),
  cpu: median(all.map(({ parts }) => parts[at].cpu)),
}))
const rss = process.resourceUsage().maxRSS / 1024
process.stdout.write(JSON.stringify({ heap: median(all.map(({ heap }) => heap)), parts, rss }))
