/** Checks of a base URL: connection, TLS and clock. */
import { request as plain } from "node:http"
import { request as secure } from "node:https"
import { TLSSocket } from "node:tls"
import { TransportError } from "@vigil/core-http/HttpError"
import * as Origin from "@vigil/core-http/Origin"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Failure from "../Failure.js"
import type { Check } from "./Check.js"

interface Answered {
  readonly date: string | undefined
  readonly tls: { readonly protocol: string; readonly validTo: string } | undefined
}

/** No response. `isTls`: a connection was made, but TLS failed. `code` is the system's error code. */
class Unanswered extends Data.TaggedError("Unanswered")<{
  readonly isTls: boolean
  readonly code: string | undefined
}> {}

const tlsCodes = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/

const tlsOf = (socket: unknown): Answered["tls"] =>
  socket instanceof TLSSocket
    ? { protocol: socket.getProtocol() ?? "TLS", validTo: socket.getPeerCertificate().valid_to }
    : undefined

/** Sends one request, with a timeout of ten seconds. Any status is a response. */
const knock = (address: URL): Effect.Effect<Answered, Unanswered> =>
  Effect.async<Answered, Unanswered>((resume) => {
    const request = address.protocol === "https:" ? secure : plain
    const sent = request(address, { agent: false, headers: { accept: "*/*" } }, (response) => {
      resume(Effect.succeed({ date: response.headers.date, tls: tlsOf(response.socket) }))
      response.destroy()
    })
    sent.on("error", (error) => {
      const code = "code" in error && typeof error.code === "string" ? error.code : undefined
      resume(new Unanswered({ isTls: tlsCodes.test(code ?? ""), code }))
    })
    sent.end()
    return Effect.sync(() => sent.destroy())
  }).pipe(
    Effect.timeoutFail({
      duration: "10 seconds",
      onTimeout: () => new Unanswered({ isTls: false, code: "ETIMEDOUT" }),
    }),
  )

/** The checks, and whether more requests make sense. */
export interface Connectivity {
  readonly checks: ReadonlyArray<Check>
  readonly isReached: boolean
}

const tolerance = Duration.minutes(5)

const reach = (name: string) => `${name} reachable`
const tls = (name: string) => `${name} TLS`
const clock = (name: string) => `${name} clock`

const skipped = (check: string, found: string): Check => ({ check, result: "skipped", found })

const secured = (name: string, address: URL, { tls: seen }: Answered): Check => {
  if (seen !== undefined)
    return { check: tls(name), result: "ok", found: `${seen.protocol}, the certificate is valid until ${seen.validTo}` }
  return Origin.isExposed(address)
    ? {
        check: tls(name),
        result: "failed",
        found: "plain http to another machine",
        advice: "Use an address of https: over plain http others can read the token, so that it is not sent.",
      }
    : skipped(tls(name), "none, and none is needed on this machine")
}

const timed = (name: string, { date }: Answered): Effect.Effect<Check> =>
  Effect.map(DateTime.now, (now) => {
    const theirs = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(theirs)) return skipped(clock(name), "the service does not say what time it is")
    const apart = Duration.millis(Math.abs(DateTime.toEpochMillis(now) - theirs))
    const direction = DateTime.toEpochMillis(now) > theirs ? "ahead of" : "behind"
    // The header is in whole seconds.
    const whole = Duration.seconds(Math.floor(Duration.toSeconds(apart)))
    const found =
      Duration.toSeconds(whole) < 2 ? "as the service's" : `${Duration.format(whole)} ${direction} the service's`
    return Duration.greaterThan(apart, tolerance)
      ? {
          check: clock(name),
          result: "warning",
          found,
          advice: "Set this machine's clock: the end of a token, and TLS, go by it.",
        }
      : { check: clock(name), result: "ok", found }
  })

const unanswered = (name: string, { origin }: URL, { code, isTls }: Unanswered): ReadonlyArray<Check> =>
  isTls
    ? [
        { check: reach(name), result: "ok", found: `${origin} answers` },
        {
          check: tls(name),
          result: "failed",
          found: `failed (${code ?? "unknown reason"})`,
          advice:
            "Check the address and this machine's clock. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its file.",
        },
        skipped(clock(name), "no answer"),
      ]
    : [
        {
          check: reach(name),
          result: "failed",
          found: "no answer",
          advice: Failure.plain(new TransportError({ service: name, operation: "Doctor.reach", origin, code })),
        },
        skipped(tls(name), "no answer"),
        skipped(clock(name), "no answer"),
      ]

export const of = (name: string, address: string): Effect.Effect<Connectivity> =>
  Either.match(Origin.parseBase(address), {
    onLeft: ({ message }) =>
      Effect.succeed({
        isReached: false,
        checks: [{ check: reach(name), result: "failed", found: "the address is none", advice: message }],
      }),
    onRight: (url) =>
      Effect.matchEffect(knock(url), {
        onFailure: (failed) => Effect.succeed({ isReached: false, checks: unanswered(name, url, failed) }),
        onSuccess: (answered) =>
          Effect.map(timed(name, answered), (clock): Connectivity => {
            const tls = secured(name, url, answered)
            return {
              isReached: tls.result !== "failed",
              checks: [{ check: reach(name), result: "ok", found: `${url.origin} answers` }, tls, clock],
            }
          }),
      }),
  })
