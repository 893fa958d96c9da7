/** The errors of a database whose responses contain the URL and the password. */
import { createServer, type Server } from "node:net"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import * as PgClient from "@effect/sql-pg/PgClient"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import { FleetError, Status } from "@vigil/health-fleet"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { orWarn } from "../src/internal/problems.js"

const password = "pa%ss/w%c3rd"
const encoded = encodeURIComponent(password)
const urlOf = (port: number) => `postgresql://vigil:${encoded}@127.0.0.1:${port}/vigil`

/** An `ErrorResponse` to the first message: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const responseOf = (fields: Readonly<Record<string, string>>): Buffer => {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([type, text]) => `${type}${text}\0`)
      .join("")}\0`,
  )
  const head = Buffer.from("E\0\0\0\0")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A server that responds to each connection. Returns its port. */
const serve = (response: Buffer) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => undefined).once("data", () => socket.end(response))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close()),
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const texts = { url: urlOf(5432), password, encoded, quoted: JSON.stringify(password) }

const expectNoSecret = (...shown: ReadonlyArray<string>) => {
  for (const text of shown) {
    expect(text).not.toContain(password)
    expect(text).not.toContain(encoded)
    expect(text).not.toContain(encodeURI(password))
  }
}

const shownOf = (error: FleetError.FleetError) => [
  error.message,
  String(error),
  inspect(error, { depth: 20, showHidden: true }),
  JSON.stringify(error),
  Cause.pretty(Cause.fail(error)),
]

describe("the error of a fleet's database", () => {
  it.live.each(Object.entries(texts))("does not show the %s in a response", ([, text]) =>
    Effect.gen(function* () {
      const port = yield* serve(responseOf({ S: "FATAL", C: "28P01", M: `no access for ${text}`, D: text, H: text }))
      const database = yield* Layer.build(PgClient.layer({ url: Redacted.make(urlOf(port)) }))
      const error = yield* Effect.flip(Effect.provide(Status.status, database))
      expect(error.message).toBe(
        "Could not read the status of the fleet: the database rejected the password (28P01). Check the database and its URL.",
      )
      expectNoSecret(...shownOf(error))
    }),
  )

  const system = { code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1", port: 5432 }

  it.effect.each([
    [Object.assign(new Error(texts.url), system), "connect ECONNREFUSED 127.0.0.1:5432"],
    [Object.assign(new Error(texts.url), { code: password, detail: password }), "the database failed"],
    [Object.assign(new Error(texts.url), { code: "XX000" }), "the database failed (XX000)"],
    [new AggregateError([Object.assign(new Error(), system)], texts.url), "connect ECONNREFUSED 127.0.0.1:5432"],
    [new Error(`Connection timed out: ${texts.url}`), "Connection timed out"],
  ])("shows what is known to be harmless: case %#", ([cause, what]) =>
    Effect.gen(function* () {
      const [props, logs] = [{ cause, message: texts.url, operation: "connect" }, [] as Array<string>]
      for (const reason of [new ConnectionError(props), new UnknownError(props)]) {
        const error = new SqlError({ reason })
        const shown = new FleetError.FleetError({ attempt: "connect", cause: Redacted.make(error) })
        expect(shown.message).toBe(`Could not connect: ${what}. Check the database and its URL.`)
        expectNoSecret(...shownOf(shown))
        const logger = Logger.make(
          (options) => void logs.push(inspect([options.message, options.cause], { depth: 20 })),
        )
        yield* orWarn("claim polls", 0)(Effect.fail(error)).pipe(Effect.provide(Logger.layer([logger])))
      }
      expect(logs[0]).toContain(`Could not claim polls: ${what}.`)
      expectNoSecret(...logs)
    }),
  )
})
