import * as Latch from "effect/Latch"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"
import { start } from "./service.js"

describe("recorded requests", () => {
  it.live("are unchanged, but contain no secrets", () =>
    Effect.gen(function* () {
      const { accessToken, apiToken, authorization, baseUrl, list, requests } = yield* start()
      const headers = {
        authorization,
        "proxy-authorization": "Basic secret",
        cookie: "session=secret",
        "x-api-token": Redacted.value(apiToken),
        "x-note": "kept",
      }
      yield* ask(list("&a=%2B+%41"), { headers })
      yield* ask(`${baseUrl}/nowhere`, { method: "POST", headers })
      const seen = yield* requests
      expect(seen).toMatchObject([
        { method: "GET", target: list("&a=%2B+%41").slice(baseUrl.length), headers: { "x-note": "kept" } },
        { method: "POST", target: "/nowhere", headers: { "x-note": "kept" } },
      ])
      for (const secret of [Redacted.value(accessToken), Redacted.value(apiToken), "secret"])
        expect(JSON.stringify(seen)).not.toContain(secret)
    }),
  )

  it.live("are limited in number", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* start({ maxRecordedRequests: 3 })
      yield* Effect.forEach(["/1", "/2", "/3", "/4", "/5"], (path) => ask(baseUrl + path))
      expect((yield* requests).map(({ target }) => target)).toEqual(["/3", "/4", "/5"])
    }),
  )

  it.live("include the maximum number in flight", () =>
    Effect.gen(function* () {
      const { baseUrl, maxInFlight, refuse } = yield* start()
      expect(yield* maxInFlight).toBe(0)
      yield* ask(baseUrl)
      expect(yield* maxInFlight).toBe(1)
      const gate = yield* Latch.make()
      let waiting = 0
      yield* refuse(() => Effect.andThen(++waiting === 4 ? gate.open : Effect.void, Effect.as(gate.await, undefined)))
      yield* Effect.forEach(Array.from({ length: 12 }), () => ask(baseUrl), { concurrency: 4 })
      expect(yield* maxInFlight).toBe(4)
    }),
  )
})

describe("a request of a disconnected client", () => {
  it.live("is not counted as in flight", () =>
    Effect.gen(function* () {
      const { baseUrl, maxInFlight, refuse } = yield* start()
      const arrived = yield* Latch.make()
      const interrupted = yield* Latch.make()
      yield* refuse(() => Effect.onInterrupt(Effect.andThen(arrived.open, Effect.never), () => interrupted.open))
      const fiber = yield* Effect.forkChild(ask(baseUrl))
      yield* arrived.await
      yield* Fiber.interrupt(fiber)
      yield* interrupted.await
      yield* refuse(() => undefined)
      yield* ask(baseUrl)
      expect(yield* maxInFlight).toBe(1)
    }),
  )
})

describe("refuse", () => {
  it.live("makes some requests fail with a status code, until it is called again", () =>
    Effect.gen(function* () {
      const { first, json, list, refuse, second } = yield* start()
      yield* refuse(({ target }) => (target.includes(second) ? 429 : undefined))
      expect((yield* json(list("", first))).status).toBe(200)
      expect(yield* json(list("", second))).toMatchObject({
        status: 429,
        body: { error: { code: "TooManyRequests", message: expect.any(String) } },
      })
      yield* refuse(({ method }) => (method === "GET" ? 599 : undefined))
      expect(yield* json(list())).toMatchObject({ status: 599, body: { error: { code: "Refused" } } })
      yield* refuse(() => undefined)
      expect((yield* json(list("", second))).status).toBe(200)
    }),
  )
})

describe("the sandbox", () => {
  it.live("stops while a request waits", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const asking = yield* Effect.scoped(
        Effect.gen(function* () {
          const { baseUrl, refuse } = yield* Sandbox.make()
          yield* refuse(() => Effect.andThen(arrived.open, Effect.never))
          const fiber = yield* Effect.forkDetach(ask(baseUrl))
          yield* arrived.await
          return fiber
        }),
      )
      expect(yield* Effect.isFailure(Fiber.join(asking))).toBe(true)
    }),
  )
})

it.live("an idle connection has no time limit, so that no client reuses one that closes", () =>
  Effect.gen(function* () {
    const { baseUrl } = yield* start()
    const { headers } = yield* Effect.promise(() => fetch(baseUrl))
    expect([headers.get("connection"), headers.get("keep-alive")]).toEqual(["keep-alive", null])
  }),
)
