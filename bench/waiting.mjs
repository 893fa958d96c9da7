/**
 * Starts many calls of one client at once and prints their CPU time and the peak of memory. With `sleep`, the calls are fibers that only
 * sleep. `node waiting.mjs '{"client":"ours","count":20000,"baseUrl":"…"}'`
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import { layers } from "./clients/layers.mjs"
import { make } from "./clients/ours.mjs"
import { subscription } from "./server.mjs"

const { baseUrl, client, count } = JSON.parse(process.argv[2])
const id = SubscriptionId.make(subscription({ events: 1, kilobytes: 1, pages: 1 }))

const calls = {
  ours: Effect.map(make({ baseUrl, token: "a.b.c" }), (client) => Stream.runDrain(client.listBySubscription(id))),
  sleep: Effect.succeed(Effect.sleep("2 seconds")),
}

const all = Effect.flatMap(calls[client], (call) =>
  Effect.forEach(Array.from({ length: count }), () => call, { concurrency: "unbounded", discard: true }),
)

const before = process.cpuUsage()
await Effect.runPromise(Effect.provide(Effect.scoped(all), layers.undici))
const { system, user } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ cpu: (system + user) / 1000, rss: process.resourceUsage().maxRSS / 1024 }))
process.exit()
