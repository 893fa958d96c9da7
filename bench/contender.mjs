/**
 * One client in a process of its own: reads a list of 300 pages to warm up, or of as many as asked for, then the list that is asked
 * for, and prints what that took. `node contender.mjs '{"client":"limit","list":{"pages":200},"baseUrl":"…"}'`
 */
import { subscription } from "./server.mjs"

const { baseUrl, client, list, options = {}, warmUp = 300 } = JSON.parse(process.argv[2])
const { read } = await import(`./clients/${client}.mjs`)

const nameOf = ({ name }) => (typeof name === "string" ? name : (name.value ?? ""))

/** Reads one list to its end: how many events, and a sum of their names in their order. */
const readAll = async (wanted) => {
  const id = subscription(wanted)
  const url = `${baseUrl}/subscriptions/${id}/providers/Microsoft.ResourceHealth/events?api-version=2025-05-01`
  let [events, sum] = [0, 0]
  const started = performance.now()
  await read({ baseUrl, subscription: id, token: "a.b.c", url, ...options }, (page) => {
    for (const event of page) {
      events += 1
      const name = nameOf(event)
      for (let at = 0; at < name.length; at++) sum = (Math.imul(sum, 31) + name.charCodeAt(at)) | 0
    }
  })
  return { events, sum, milliseconds: performance.now() - started }
}

await readAll({ ...list, pages: Math.min(list.pages, warmUp) })
globalThis.gc?.()
const before = process.cpuUsage()
const came = await readAll(list)
const { system, user } = process.cpuUsage(before)
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ ...came, cpu: (system + user) / 1000, rss: maxRSS / 1024 }))
