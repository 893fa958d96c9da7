/** Many requests and event streams at once, while `vigil serve` polls. With LARGE_INPUTS, at the scale of a large team. */
import { Agent } from "node:http"
import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { openStream, startServer } from "./server.js"
import { month, onePerType } from "./snapshots.js"

const isLarge = process.env["LARGE_INPUTS"] !== undefined

const [requests, streams] = isLarge ? [10_000, 200] : [500, 50]

const polls = isLarge ? 20 : 5

const paths = ["/", "/events", "/metrics", "/calendar.ics", "/readyz", "/healthz", "/nope"]

/** The size of the heap in megabytes after garbage collection. */
const heap = (): number => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** Requests the page 20 times, and reads no response. */
const stall = (url: string) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof connect>>((resume) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
        socket.pause()
        socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20), () => resume(Effect.succeed(socket)))
      })
      socket.on("error", () => undefined)
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

describe("a server under load", () => {
  it.scoped(`serves ${requests} requests and ${streams} streams while it polls, despite clients that never read`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(onePerType.now)
      const service = yield* Faults.serve(() => Reply.page(isLarge ? month.events : onePerType.events))
      const server = yield* startServer("-s", "x", "--base-url", service.origin, "--every", "20s")
      yield* server.idle
      for (let count = 0; count < 3; count++) yield* stall(server.url)
      const open = yield* Effect.all(Array.from({ length: streams }, () => openStream(server.url)))
      const received = open.map(() => 0)
      const agent = new Agent({ keepAlive: true, maxSockets: 50 })
      yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
      const statuses = new Map<string, number>()
      const sizes: Array<number> = []

      for (let poll = 1; poll <= polls; poll++) {
        const load = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: requests / polls }, (_, index) => paths[index % paths.length] ?? "/"),
            (path) =>
              Effect.map(server.get(path, { agent }), ({ status }) => {
                const key = `${path} ${status}`
                statuses.set(key, (statuses.get(key) ?? 0) + 1)
              }),
            { concurrency: 50, discard: true },
          ),
        )
        yield* server.pass("20 seconds")
        yield* server.idle
        const latest = `data: ${onePerType.now + poll * 20_000}`
        for (const [index, { message }] of open.entries()) {
          while (!(yield* message).includes(latest)) received[index] = (received[index] ?? 0) + 1
        }
        yield* Fiber.join(load)
        if (isLarge) sizes.push(heap())
      }

      expect([...statuses.keys()].toSorted()).toEqual(
        paths.map((path) => `${path} ${path === "/nope" ? 404 : 200}`).toSorted(),
      )
      expect([...statuses.values()].reduce((sum, one) => sum + one, 0)).toBe(requests)
      expect((yield* server.get("/metrics")).text).toMatch(new RegExp(`^vigil_streams ${streams}$`, "m"))
      if (!isLarge) return
      process.stdout.write(`heap in MB after each poll: ${sizes.map((size) => size.toFixed(1)).join(" ")}\n`)
      expect(Math.max(...sizes.slice(-5)) - Math.max(...sizes.slice(2, 7))).toBeLessThan(5)
    }),
  )
})

describe("the number of streams", () => {
  it.scopedLive("is limited, and other paths still work", () =>
    Effect.gen(function* () {
      const server = yield* startServer("--sandbox")
      yield* server.idle
      const all = yield* Effect.all(
        Array.from({ length: 500 }, () => openStream(server.url)),
        { concurrency: 50 },
      )
      expect(all.every(({ status }) => status === 200)).toBe(true)
      const further = yield* server.get("/changes")
      expect([further.status, further.headers["retry-after"]]).toEqual([503, "30"])
      expect((yield* server.get("/healthz")).status).toBe(200)
    }),
  )
})
