/** Unread responses leave no open connection. */
import { HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Retry } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import { clientOf, get } from "./fake.js"

const moved = { status: 302, headers: { location: "/moved" } }
const large = "x".repeat(2_000_000)

const redirects = {
  "an empty": Reply.empty(302, moved.headers),
  "a small": Reply.text("x", moved),
  "a large": Reply.text(large, moved),
  "an unfinished": { ...Reply.text("x", moved), length: 1_000, end: "hang" },
  "an endless": { ...Reply.drip("x", 10), ...moved },
} satisfies Readonly<Record<string, Reply.Reply>>

describe.each(layers)("over %s", (_, layer) => {
  it.live.each(Object.entries<Reply.Reply>(redirects))("a followed redirect with %s body keeps no connection", (row) =>
    Effect.gen(function* () {
      const open: Array<number> = []
      const count = Effect.suspend(() => Effect.map(server.connections, (connections) => open.push(connections)))
      const server: Faults.Server = yield* Faults.serve(({ target }) =>
        target === "/moved" ? Effect.as(count, Reply.json({})) : row[1],
      )
      const http = yield* HttpClient.HttpClient
      const service = yield* clientOf({ http }, { baseUrl: server.origin, concurrency: 1 })
      yield* Effect.replicateEffect(get(service), 12, { concurrency: "unbounded", discard: true })
      expect(open).toHaveLength(12)
      expect(Math.max(...open)).toBeLessThanOrEqual(4)
      // The client may keep the connection of the last response for later requests.
      yield* server.awaitConnections(2)
    }).pipe(Effect.provide(layer)),
  )

  it.live.each([302, 500, 200])("a rejected response with status %i leaves no connection", (status) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([
        Reply.text(large, { status, headers: { location: "https://other.example" } }),
      ])
      const http = yield* HttpClient.HttpClient
      const service = yield* clientOf({ http }, { baseUrl: server.origin, maxBodyBytes: 1_000, retry: Retry.none })
      yield* Effect.replicateEffect(Effect.flip(get(service)), 8, { discard: true })
      yield* server.awaitConnections(4)
    }).pipe(Effect.provide(layer)),
  )
})
