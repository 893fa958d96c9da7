/**
 * One point of a curve in a process of its own: reads something small until all is warm, then what is asked for, again and again while
 * that is soon done, and prints what one time took. `node --expose-gc point.mjs '{"client":"ours","list":{"pages":200},"baseUrl":"…"}'`
 */
import { subscription } from "./server.mjs"
import { median } from "./race.mjs"

const { baseUrl, client, warm, ...wanted } = JSON.parse(process.argv[2])
const { read } = await import(`./clients/${client}.mjs`)

/** The time on the clock, and that of the processors that this process had of it, in milliseconds. */
const now = () => {
  const { system, user } = process.cpuUsage()
  return { milliseconds: performance.now(), cpu: (system + user) / 1000 }
}

const since = (start) => {
  const { cpu, milliseconds } = now()
  return { milliseconds: milliseconds - start.milliseconds, cpu: cpu - start.cpu }
}

/** Reads each of so many lists to its end, and tells what each of its parts took, and the heap in use after the first one. */
const readAll = async ({ count = 1, list }) => {
  const subscriptions = Array.from({ length: count }, (_, number) => subscription({ ...list, number }))
  const parts = []
  let [events, heap] = [0, 0]
  let started = now()
  const onReading = () => {
    parts.push(since(started))
    if (parts.length === 1) {
      globalThis.gc()
      heap = process.memoryUsage().heapUsed / 2 ** 20
    }
    started = now()
  }
  const target = { baseUrl, layer: "undici", subscription: subscriptions[0], subscriptions, token: "a.b.c" }
  await read({ ...target, onReading }, (page) => {
    events += page.length
  })
  if (parts.length === 0) parts.push(since(started))
  const expected = count * list.pages * list.events
  if (events !== expected) throw new Error(`${events} events came instead of ${expected}`)
  return { heap, parts }
}

/** Does it as often as it takes to have so many milliseconds of the processors. */
const fill = async (what, milliseconds) => {
  const start = now()
  const all = []
  do all.push(await readAll(what))
  while (since(start).cpu < milliseconds)
  return all
}

await fill(warm, 5_000)
// So that the service makes its pages before they are asked for.
await fetch(`${baseUrl}/subscriptions/${subscription(wanted.list)}/events`).then((answer) => answer.arrayBuffer())
globalThis.gc()
const all = await fill(wanted, 2_000)
const parts = all[0].parts.map((_, at) => ({
  milliseconds: median(all.map(({ parts }) => parts[at].milliseconds)),
  cpu: median(all.map(({ parts }) => parts[at].cpu)),
}))
const rss = process.resourceUsage().maxRSS / 1024
process.stdout.write(JSON.stringify({ heap: median(all.map(({ heap }) => heap)), parts, rss }))
