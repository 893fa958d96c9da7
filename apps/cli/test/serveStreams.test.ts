/** The event streams of `vigil serve`. */
import { PassThrough, Writable } from "node:stream"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { afterEach, vi } from "vitest"
import * as Streams from "../src/serve/Streams.js"
import { openStream, startServer } from "./server.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const now = Date.UTC(2026, 2, 10, 12)

const poll = (at: number) => `event: poll\ndata: ${at}`

/** A sandbox whose world can change, and a server of its events. */
const scene = Effect.gen(function* () {
  yield* TestClock.setTime(now)
  const sandbox = yield* Sandbox.make({ now })
  vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(sandbox.accessToken))
  const [{ id }] = sandbox.world.subscriptions
  // Polls as often as heartbeats, because a stream that reads nothing between heartbeats counts as stalled.
  const server = yield* startServer("-s", id, "--base-url", sandbox.baseUrl, "--every", "20s")
  yield* server.idle
  const own = sandbox.world.events.find(({ subscriptions }) => subscriptions.includes(id))
  return { sandbox, server, id: String(own?.event.id), name: String(own?.event.name) }
})

describe("an event stream", () => {
  it.scoped(
    "sends the latest poll, heartbeats, and each later poll when its events are served, until the server ends",
    () =>
      Effect.gen(function* () {
        const { id, name, sandbox, server } = yield* scene
        const { message, status } = yield* openStream(server.url)
        expect([status, yield* message]).toEqual([200, `retry: 5000\n${poll(now)}`])
        expect((yield* server.get("/events")).text).toContain(name)
        yield* sandbox.change(World.remove(id))
        yield* server.pass("20 seconds")
        expect([yield* message, yield* message]).toEqual(expect.arrayContaining([":", poll(now + 20_000)]))
        expect((yield* server.get("/events")).text).not.toContain(name)
        expect((yield* server.get("/metrics")).text).toMatch(/^vigil_streams 1$/m)
        yield* Fiber.interrupt(server.fiber)
        expect(yield* message).toBe("")
      }),
  )

  it.scopedLive("is refused beyond 500 streams, and other paths still work", () =>
    Effect.gen(function* () {
      const server = yield* startServer("--sandbox")
      yield* server.idle
      const open = Array.from({ length: 500 }, () => openStream(server.url))
      const all = yield* Effect.all(open, { concurrency: 50 })
      expect(all.every(({ status }) => status === 200)).toBe(true)
      const further = yield* server.get("/changes")
      expect([further.status, further.headers["retry-after"]]).toEqual([503, "30"])
      expect((yield* server.get("/healthz")).status).toBe(200)
    }),
  )
})

/** A reader that accepts no further chunk until `take` is called. */
const slow = () => {
  const written: Array<string> = []
  let next: (() => void) | undefined
  const stream = new Writable({
    write: (chunk, _, done) => {
      written.push(String(chunk))
      next = done
    },
  })
  const take = () =>
    new Promise<void>((resolve) => {
      next?.()
      setImmediate(resolve)
    })
  return { stream, written, take }
}

const fast = () => {
  const stream = new PassThrough()
  return { stream, read: () => String(stream.read() ?? "") }
}

describe("a slow reader", () => {
  it("gets only the latest poll when it reads again, and delays no other reader", async () => {
    const streams = Streams.make(2)
    const [one, other] = [slow(), fast()]
    streams.publish("1")
    streams.add(one.stream)
    streams.add(other.stream)
    await new Promise(setImmediate)
    const publish = async (version: string) => {
      streams.publish(version)
      await new Promise(setImmediate)
      expect(other.read()).toContain(`data: ${version}`)
    }
    await publish("2")
    await publish("3")
    await publish("4")
    expect(one.written).toEqual(["retry: 5000\n"])
    await one.take()
    expect(one.written.slice(1)).toEqual([`${poll(4)}\n\n`])
    await one.take()
    expect(one.written).toHaveLength(2)
  })

  it("is disconnected if it reads nothing between two heartbeats", async () => {
    const streams = Streams.make(2)
    const [one, other] = [slow(), fast()]
    streams.add(one.stream)
    streams.add(other.stream)
    await new Promise(setImmediate)
    streams.beat()
    expect(one.stream.destroyed).toBe(false)
    streams.beat()
    await new Promise(setImmediate)
    expect([one.stream.destroyed, other.stream.destroyed, streams.count()]).toEqual([true, false, 1])
    expect(one.written).toHaveLength(1)
  })
})
