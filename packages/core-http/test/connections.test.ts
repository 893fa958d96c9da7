/** Responses that nobody reads leave no open connection. */
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Retry, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import { get } from "./fake.js"

const client = (baseUrl: string, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({ service: "thing", baseUrl, credential: Credential.none, retry: Retry.none, ...options })

/** The body of a redirect. The connection of `unfinished` and `chunked` stays open until the client closes it. */
const redirectBodies = {
  empty: { length: 0, write: "" },
  small: { length: 10, write: "x".repeat(10) },
  unfinished: { length: 1_000, write: "x" },
  large: { length: 2_000_000, write: "x".repeat(2_000_000) },
  chunked: { length: undefined, write: "x" },
} as const

/** A server that redirects with such a body, and the sockets of the redirects and of all requests that are open. */
const redirecting = ({ length, write }: (typeof redirectBodies)[keyof typeof redirectBodies]) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<Socket>()
      const state = { most: 0, open, finals: 0 }
      const server = createServer((request, response) => {
        if (request.url === "/moved") {
          state.finals++
          response.end("{}")
          return
        }
        const headers = { location: "/moved", ...(length === undefined ? {} : { "content-length": length }) }
        response.writeHead(302, headers)
        if (write.length === length) response.end(write)
        else response.write(write)
      })
      server.on("connection", (socket) => {
        open.add(socket)
        state.most = Math.max(state.most, open.size)
        socket.on("close", () => open.delete(socket))
        socket.on("error", () => undefined)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      // Safe: a server that listens on a port has such an address.
      return { state, server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }),
  )

const settled = (check: () => boolean) =>
  Effect.promise(async () => {
    // oxlint-disable-next-line no-await-in-loop -- Each turn of the event loop may close sockets.
    for (let turn = 0; turn < 500 && !check(); turn++) await new Promise((resolve) => setTimeout(resolve, 10))
  })

describe.each(layers)("over %s", (_, layer) => {
  it.live.each(Object.entries(redirectBodies))("a followed redirect keeps no connection: %s body", ([, body]) =>
    Effect.gen(function* () {
      const { origin, state } = yield* redirecting(body)
      const service = yield* client(origin, { concurrency: 1 })
      yield* Effect.replicateEffect(get(service), 30, { concurrency: "unbounded", discard: true })
      expect(state.finals).toBe(30)
      expect(state.most).toBeLessThanOrEqual(4)
      // The client may keep the connection of the last response for later requests.
      yield* settled(() => state.open.size <= 2)
      expect(state.open.size).toBeLessThanOrEqual(2)
    }).pipe(Effect.provide(layer)),
  )

  it.live("rejected responses leave no open connection", () =>
    Effect.gen(function* () {
      const headers = { location: "https://elsewhere.example" }
      for (const status of [302, 500, 200]) {
        const server = yield* Faults.serve([Reply.text("x".repeat(300_000), { status, headers })])
        const service = yield* client(server.origin, { maxBodyBytes: 1_000 })
        yield* Effect.replicateEffect(Effect.flip(get(service)), 20, { discard: true })
        yield* server.awaitConnections(4)
      }
    }).pipe(Effect.provide(layer)),
  )
})
