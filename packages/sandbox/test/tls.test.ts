import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { request } from "node:https"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** A sandbox with TLS, with its base URL and certificate. */
const start = Effect.flatMap(Sandbox.make({ tls: true, pageSize: 5 }), ({ tls, ...sandbox }) =>
  tls === undefined ? Effect.die("TLS is off") : Effect.succeed({ ...sandbox, tls }),
)

/** Sends a request over TLS. Trusts the certificate `ca`, or Node's default authorities without it. */
const ask = (url: string, ca: string | undefined, headers: Record<string, string> = {}) =>
  Effect.callback<{ readonly status: number | undefined; readonly body: string }, NodeJS.ErrnoException>((resume) => {
    const sent = request(url, { ...(ca === undefined ? {} : { ca }), headers, agent: false }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (text: string) => (body += text))
      response.once("end", () => resume(Effect.succeed({ status: response.statusCode, body })))
    })
    sent.once("error", (error) => resume(Effect.fail(error)))
    sent.end()
  })

describe("the certificate", () => {
  it("is valid only for this machine, for decades, and is not an authority", () => {
    const certificate = new X509Certificate(Faults.certificate)
    expect(certificate.checkIssued(certificate)).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1")
    expect(certificate.checkHost("vigil.example")).toBeUndefined()
    expect(certificate.checkIP("127.0.0.2")).toBeUndefined()
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"])
    expect(new Date(certificate.validTo).getUTCFullYear()).toBe(2120)
  })
})

describe("a sandbox with TLS", () => {
  it.live("serves both APIs to clients that trust its certificate, with links to itself", () =>
    Effect.gen(function* () {
      const { accessToken, apiToken, tls, world } = yield* start
      expect(tls.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
      for (const url of [tls.baseUrl, tls.baseUrl.replace("127.0.0.1", "localhost")]) {
        const headers = { "x-api-token": Redacted.value(apiToken) }
        expect(yield* ask(`${url}/v0.1/user`, tls.certificate, headers)).toMatchObject({ status: 200 })
      }
      const list = `${tls.baseUrl}/subscriptions/${world.subscriptions[0].id}/providers/Vendor.ResourceHealth/events`
      const authorization = `Bearer ${Redacted.value(accessToken)}`
      const { body } = yield* ask(`${list}?api-version=2025-05-01`, tls.certificate, { authorization })
      const { nextLink } = JSON.parse(body) as { readonly nextLink: string }
      expect(nextLink.startsWith(list)).toBe(true)
      expect((yield* ask(nextLink, tls.certificate, { authorization })).status).toBe(200)
    }),
  )

  it.live("stops while a client is silent", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(
        Effect.gen(function* () {
          const { tls } = yield* start
          const socket = connect(Number(new URL(tls.baseUrl).port), "127.0.0.1")
          yield* Effect.promise(() => once(socket, "connect"))
          // A response to a later client shows that the server has accepted the silent one.
          yield* ask(tls.baseUrl, tls.certificate)
          return once(socket, "close")
        }),
      )
      yield* Effect.promise(() => closed)
    }),
  )

  it.live("stops with its scope, and is off by default", () =>
    Effect.gen(function* () {
      const { tls } = yield* Effect.scoped(start)
      expect(yield* Effect.flip(ask(tls.baseUrl, tls.certificate))).toMatchObject({ code: "ECONNREFUSED" })
      expect((yield* Sandbox.make()).tls).toBeUndefined()
    }),
  )
})
