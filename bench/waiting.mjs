/**
 * Starts many calls of one client at once, for a service that does not respond. Prints their CPU time and the peak of memory when all wait.
 * With `sleep`, the calls are fibers that only sleep. `node waiting.mjs '{"client":"ours","count":20000}'`
 */
import { once } from "node:events"
import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionId from "@vigil/health-listing/SubscriptionId"
import { layers } from "./clients/layers.mjs"
import { make } from "./clients/ours.mjs"
import { subscription } from "./server.mjs"

const { client, count } = JSON.parse(process.argv[2])
const server = createServer(() => {})
await once(server.listen(0, "127.0.0.1"), "listening")
const baseUrl = `http://127.0.0.1:${server.address().port}`
const id = SubscriptionId.make(subscription({ pages: 1 }))

const calls = {
  ours: Effect.map(make({ baseUrl, token: "a.b.c" }), (client) => Stream.runDrain(client.listBySubscription(id))),
  sleep: Effect.succeed(Effect.sleep("1 minute")),
}

let started = 0
const all = Effect.flatMap(calls[client], (call) =>
  Effect.forEach(
    Array.from({ length: count }),
    () => {
      started += 1
      return call
    },
    { concurrency: "unbounded", discard: true },
  ),
)

const before = process.cpuUsage()
void Effect.runPromise(Effect.provide(Effect.scoped(all), layers.undici))
setTimeout(() => {
  if (started !== count) throw new Error(`Only ${started} calls have started`)
  const { system, user } = process.cpuUsage(before)
  process.stdout.write(JSON.stringify({ cpu: (system + user) / 1000, rss: process.resourceUsage().maxRSS / 1024 }))
  process.exit()
}, 15_000)
