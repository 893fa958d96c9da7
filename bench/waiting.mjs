/**
 * Starts many calls of one client at once, for a service that does not respond. Prints their CPU time and the peak of memory when all wait.
 * `ours` are lists, and `call` are single requests. With `sleep`, the calls are fibers that only sleep, and with `stream` streams in a span that only
 * sleep: a list takes at least that. `node waiting.mjs '{"client":"ours","count":20000}'`
 */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { once } from "node:events"
import { createServer } from "node:net"
import { layers } from "./clients/layers.mjs"
import { make } from "./clients/ours.mjs"
import { subscription } from "./server.mjs"

const { client, count } = JSON.parse(process.argv[2])
const server = createServer(() => {})
await once(server.listen(0, "127.0.0.1"), "listening")
const baseUrl = `http://127.0.0.1:${server.address().port}`
const id = SubscriptionId.make(subscription({ pages: 1 }))

const ours = make({ baseUrl, token: "a.b.c" })
const sleep = Effect.sleep("1 minute")
const pages = Stream.unwrap(Effect.sync(() => Stream.paginate(0, () => sleep)))

const calls = {
  ours: Effect.map(ours, (client) => Stream.runDrain(client.listBySubscription(id))),
  call: Effect.map(ours, (client) => client.get(id, TrackingId.make("A1"))),
  sleep: Effect.succeed(sleep),
  stream: Effect.succeed(Stream.runDrain(Stream.withSpan(pages, "list"))),
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
