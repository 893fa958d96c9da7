import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { request } from "node:https"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fc from "effect/FastCheck"
import * as der from "../src/internal/tls/der.js"
import * as identity from "../src/internal/tls/certificate.js"

const day = 24 * 60 * 60 * 1000
const runs = { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 1_000) }

/** A sandbox that speaks TLS, and its address and certificate. */
const start = Effect.flatMap(Sandbox.make({ tls: true, pageSize: 5 }), ({ tls, ...sandbox }) =>
  tls === undefined ? Effect.dieMessage("there is no TLS") : Effect.succeed({ ...sandbox, tls }),
)

/** Asks over TLS, trusting one certificate alone, or none. */
const ask = (url: string, ca: string | undefined, headers: Record<string, string> = {}) =>
  Effect.async<{ readonly status: number | undefined; readonly body: string }, NodeJS.ErrnoException>((resume) => {
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
  it("is one of this machine, signed by itself, from yesterday for a year", () => {
    const now = Date.UTC(2026, 4, 3, 12)
    const certificate = new X509Certificate(identity.make(now).certificate)
    expect(certificate.subject).toBe("CN=localhost")
    expect(certificate.issuer).toBe("CN=localhost")
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" })
    expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1")
    expect(certificate.checkHost("localhost")).toBe("localhost")
    expect(certificate.checkHost("vigil.example")).toBeUndefined()
    for (const ip of ["127.0.0.1", "::1"]) expect(certificate.checkIP(ip)).toBe(ip)
    expect(certificate.checkIP("127.0.0.2")).toBeUndefined()
    expect(Date.parse(certificate.validFrom)).toBe(now - day)
    expect(Date.parse(certificate.validTo)).toBe(now + 365 * day)
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"])
  })

  it("goes by the calendar before and after 2050", () => {
    for (const now of [Date.UTC(2049, 6, 1), Date.UTC(2080, 1, 29)])
      expect(Date.parse(new X509Certificate(identity.make(now).certificate).validTo)).toBe(now + 365 * day)
  })

  it("is another one each time", () => {
    const [one, other] = [1, 2].map(() => new X509Certificate(identity.make(Date.now()).certificate))
    expect(one?.serialNumber).not.toBe(other?.serialNumber)
    expect(one?.fingerprint256).not.toBe(other?.fingerprint256)
  })
})

describe("DER", () => {
  it("writes any number in the fewest bytes that do not look negative", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const [tag, length = 0, ...content] = der.integer(bytes)
        expect([tag, length]).toEqual([2, content.length])
        expect(content[0]).toBeLessThan(0x80)
        if (content.length > 1 && content[0] === 0) expect(content[1]).toBeGreaterThanOrEqual(0x80)
        const number = (from: ReadonlyArray<number>) => BigInt(`0x0${Buffer.from(from).toString("hex") || "0"}`)
        expect(BigInt(`0x${Buffer.from(content).toString("hex")}`)).toBe(
          number([...bytes].length === 0 ? [0] : [...bytes]),
        )
      }),
      runs,
    )
  })

  it.each([
    [0, "0400"],
    [127, "047f"],
    [128, "048180"],
    [255, "0481ff"],
    [256, "04820100"],
    [65_535, "0482ffff"],
  ])("says a length of %d bytes", (length, head) => {
    const bytes = der.octets(new Uint8Array(length))
    expect(bytes.subarray(0, bytes.length - length).toString("hex")).toBe(head)
  })

  it.each([
    ["2.5.4.3", "0603550403"],
    ["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
    ["1.3.6.1.4.1.311.21.20", "06092b0601040182371514"],
  ])("names %s", (dotted, hex) => {
    expect(der.identifier(dotted).toString("hex")).toBe(hex)
  })
})

describe("a sandbox that speaks TLS", () => {
  it.scopedLive("serves both APIs to a client that trusts its certificate, and links to itself", () =>
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

  it.scopedLive("is not trusted by others, and not mistaken for another one", () =>
    Effect.gen(function* () {
      const { tls } = yield* start
      const other = yield* start
      expect(yield* Effect.flip(ask(tls.baseUrl, undefined))).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
      expect(yield* Effect.flip(ask(tls.baseUrl, other.tls.certificate))).toBeInstanceOf(Error)
    }),
  )

  it.scopedLive("is the same sandbox as over plain HTTP", () =>
    Effect.gen(function* () {
      const { baseUrl, refuse, requests, tls } = yield* start
      yield* refuse(() => 503)
      expect((yield* ask(`${tls.baseUrl}/a`, tls.certificate)).status).toBe(503)
      yield* Effect.promise(() => fetch(`${baseUrl}/b`))
      expect((yield* requests).map(({ target }) => target)).toEqual(["/a", "/b"])
    }),
  )

  it.scopedLive("stops while a client is silent", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(
        Effect.gen(function* () {
          const { tls } = yield* start
          const socket = connect(Number(new URL(tls.baseUrl).port), "127.0.0.1")
          yield* Effect.promise(() => once(socket, "connect"))
          // Whoever is served was accepted after the one who is silent.
          yield* ask(tls.baseUrl, tls.certificate)
          return once(socket, "close")
        }),
      )
      yield* Effect.promise(() => closed)
    }),
  )

  it.scopedLive("stops with its scope, and is none unless it is asked for", () =>
    Effect.gen(function* () {
      const { tls } = yield* Effect.scoped(start)
      expect(yield* Effect.flip(ask(tls.baseUrl, tls.certificate))).toMatchObject({ code: "ECONNREFUSED" })
      expect((yield* Sandbox.make()).tls).toBeUndefined()
    }),
  )
})
