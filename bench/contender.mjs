/**
 * Measures one client in its own process. Reads lists of 300 pages for 5 seconds of CPU time, so that V8 optimizes the client. Then reads
 * the measured list and prints the times. With `inEffect`, the process imports what an Effect program imports.
 * `node contender.mjs '{"client":"limit","list":{"pages":200},"baseUrl":"…"}'`
 */
import { subscription } from "./server.mjs"

const { baseUrl, client, inEffect, list, options = {}, warmUp = 5_000 } = JSON.parse(process.argv[2])
if (inEffect) await import("./clients/effect.mjs")
const { read } = await import(`./clients/${client}.mjs`)

const nameOf = ({ name }) => (typeof name === "string" ? name : (name.value ?? ""))

/** Reads a list completely. Returns the number of events, and a checksum of their names. */
const readAll = async (entry) => {
  const id = subscription(entry)
  const url = `${baseUrl}/subscriptions/${id}/providers/Microsoft.ResourceHealth/events?api-version=2025-05-01`
  let [events, sum] = [0, 0]
  const started = performance.now()
  await read({ baseUrl, subscription: id, token: "a.b.c", url, ...options }, (page) => {
    for (const event of page) {
      events += 1
      const name = nameOf(event)
      for (let index = 0; index < name.length; index++) sum = (Math.imul(sum, 31) + name.charCodeAt(index)) | 0
    }
  })
  return { events, sum, milliseconds: performance.now() - started }
}

const cpuTime = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const end = cpuTime() + warmUp
do await readAll({ ...list, pages: 300 })
while (cpuTime() < end)
const before = cpuTime()
const result = await readAll(list)
const cpu = cpuTime() - before
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ ...result, cpu, rss: maxRSS / 1024 }))
