import { connect, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask, speak } from "./client.js"
import { start } from "./service.js"

/** Random numbers from a seed, so that a failure can be reproduced (mulberry32). */
const dice = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "", "get"]
const targets = [
  "/",
  "//",
  "/..;/%zz",
  "*",
  "http://[",
  "http://evil.example/v0.1/user",
  "/v0.1/user",
  "/v0.1/apps/ada/atlas",
  "/health/openapi.json",
  "/common/oauth2/authorize?client_id=%00&redirect_uri=http://localhost/%0d%0a",
  "/subscriptions/x/providers/Vendor.ResourceHealth/events?api-version=2025-05-01&$filter=%ff&$skipToken=%00",
  "/%ff%fe/providers/Vendor.ResourceHealth/events",
]
const headers = [
  "connection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n",
  "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
  "content-length: 5\r\n",
  "content-length: 99999999999999999999\r\n",
  "transfer-encoding: chunked\r\n",
  "transfer-encoding: chunked\r\ncontent-length: 3\r\n",
  "expect: 100-continue\r\n",
  "authorization: Bearer sandbox-access-token\r\n",
  "x-api-token: sandbox-api-token\r\n",
  "origin: null\r\n",
  "x: \u0000\r\n",
]
const bodies = ["", "{}", '5\r\n{"a":\r\n', "0\r\n\r\n", "zz\r\n", "\u0000\u0001\u0002"]

/** Sends a text or a part of it, then disconnects: at once, after the first response, or with a reset. */
const attack = (port: number, text: string, leave: number): Promise<void> =>
  new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1")
    socket.on("error", () => undefined)
    socket.once("close", () => resolve())
    socket.once("connect", () => {
      socket.write(Buffer.from(text, "latin1"), () => {
        if (leave === 0) socket.resetAndDestroy()
        if (leave === 1) socket.destroy()
        if (leave === 2) socket.end()
      })
    })
    socket.once("data", () => socket.destroy())
    // The server responds to an incomplete request only after a minute.
    socket.setTimeout(250, () => socket.destroy())
  })

describe("a sandbox under attack", () => {
  it.live("responds to a client after others request an upgrade and disconnect", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* start()
      const port = Number(new URL(baseUrl).port)
      const upgrade = `GET /v0.1/user HTTP/1.1\r\nhost: x\r\n${headers[0]}\r\n`
      for (let time = 0; time < 100; time++) yield* Effect.promise(() => attack(port, upgrade, time % 2))
      expect((yield* ask(`${baseUrl}/v0.1/user`)).status).toBe(401)
    }),
  )

  it.live("reads the body of a request for an upgrade", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl } = yield* start()
      const head = [
        "PATCH /v0.1/apps/ada/atlas HTTP/1.1",
        "host: x",
        "connection: close, upgrade",
        "upgrade: h2c",
        `x-api-token: ${Redacted.value(apiToken)}`,
        "content-length: 26",
      ]
      const { text } = yield* speak(baseUrl, `${head.join("\r\n")}\r\n\r\n{"display_name":"Upwards"}`)
      expect(text).toMatch(/^HTTP\/1\.1 405 /)
    }),
  )

  it.live.each(["declared", "chunked"])("responds with 413 to a body of more than 1 MB, %s", (how) =>
    Effect.gen(function* () {
      const { apiToken, baseUrl } = yield* start()
      const block = "x".repeat(1_000_000)
      const head = `PATCH /v0.1/apps/ada/atlas HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-token: ${Redacted.value(apiToken)}\r\n`
      const sent =
        how === "declared"
          ? [`${head}content-length: 3000000\r\n\r\n`, block, block, block]
          : [
              `${head}transfer-encoding: chunked\r\n\r\n`,
              ...[block, block, block].map((b) => `f4240\r\n${b}\r\n`),
              "0\r\n\r\n",
            ]
      expect((yield* speak(baseUrl, sent)).text).toMatch(/^HTTP\/1\.1 413 /)
    }),
  )

  it.live("accepts a request target in absolute form, and responds with 404 to an invalid one", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl, requests } = yield* start()
      const status = (target: string, method = "GET") =>
        Effect.map(
          speak(
            baseUrl,
            `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-token: ${Redacted.value(apiToken)}\r\n\r\n`,
          ),
          ({ text }) => Number(text.split(" ", 2)[1]),
        )
      expect(yield* status("http://vigil.example/v0.1/user")).toBe(200)
      expect((yield* requests).at(-1)?.target).toBe("/v0.1/user")
      expect(yield* status("http://vigil.example")).toBe(404)
      expect((yield* requests).at(-1)?.target).toBe("/")
      expect(yield* status("//")).toBe(404)
      expect(yield* status("*", "OPTIONS")).toBe(404)
    }),
  )

  it.live("still responds after a thousand random requests and upgrades", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* start()
      const port = Number(new URL(baseUrl).port)
      const random = dice(24)
      const pick = (from: ReadonlyArray<string>) => from[random(from.length)] ?? ""
      const request = () => {
        const head = `${pick(methods)} ${pick(targets)} HTTP/1.${random(3)}\r\nhost: x\r\n${pick(headers)}${pick(headers)}`
        const text = `${head}\r\n${pick(bodies)}`
        return random(4) === 0 ? text.slice(0, random(text.length)) : text
      }
      const attacks = Array.from({ length: 1_000 }, () => [request(), random(4)] as const)
      yield* Effect.forEach(attacks, ([text, leave]) => Effect.promise(() => attack(port, text, leave)), {
        concurrency: 64,
        discard: true,
      })
      expect((yield* ask(`${baseUrl}/v0.1/user`)).status).toBe(401)
    }),
  )
})
