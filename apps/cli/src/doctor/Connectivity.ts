/** Checks of a base URL: connection, TLS and clock. */
import { request as plain } from "node:http"
import { request as secure } from "node:https"
import { TLSSocket } from "node:tls"
import * as Origin from "@vigil/core-http/Origin"
import { Transport } from "@vigil/core-http/Reason"
import { RequestError } from "@vigil/core-http/RequestError"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Failure from "../command/Failure.js"
import { codeOf } from "../files/SystemError.js"
import { type Check, failed, ok, skipped, warning } from "../connection/Check.js"

interface Response {
  readonly date: string | undefined
  readonly tls: { readonly protocol: string; readonly validTo: string } | undefined
}

/** No response. `isTls`: a connection was made, but TLS failed. `code` is the system's error code. */
class NoResponse extends Data.TaggedError("NoResponse")<{
  readonly isTls: boolean
  readonly code: string | undefined
}> {}

const tlsCodes = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/

const tlsOf = (socket: unknown): Response["tls"] =>
  socket instanceof TLSSocket
    ? { protocol: socket.getProtocol() ?? "TLS", validTo: socket.getPeerCertificate().valid_to }
    : undefined

const send = (url: URL): Effect.Effect<Response, NoResponse> =>
  Effect.callback<Response, NoResponse>((resume) => {
    const request = (url.protocol === "https:" ? secure : plain)(
      url,
      { agent: false, headers: { accept: "*/*" } },
      (response) => {
        resume(Effect.succeed({ date: response.headers.date, tls: tlsOf(response.socket) }))
        response.destroy()
      },
    )
    request.on("error", (error) => {
      const code = codeOf(error)
      resume(new NoResponse({ isTls: tlsCodes.test(code ?? ""), code }))
    })
    request.end()
    return Effect.sync(() => request.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: "10 seconds",
      orElse: () => Effect.fail(new NoResponse({ isTls: false, code: "ETIMEDOUT" })),
    }),
  )

const maxClockSkew = Duration.minutes(5)

const checkTls = (service: string, url: URL, tls: Response["tls"]): Check => {
  const check = `${service} TLS`
  if (tls !== undefined) return ok(check, `${tls.protocol}, the certificate is valid until ${tls.validTo}`)
  return Origin.isExposed(url)
    ? failed(
        check,
        "plain HTTP to another machine",
        "Use HTTPS. Tokens are not sent over plain HTTP to other machines.",
      )
    : skipped(check, "not required on this machine")
}

const checkClock = (service: string, date: string | undefined): Effect.Effect<Check> =>
  Effect.map(DateTime.now, (now) => {
    const check = `${service} clock`
    const serviceTime = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(serviceTime)) return skipped(check, "the response has no date")
    const skew = Duration.millis(Math.abs(DateTime.toEpochMillis(now) - serviceTime))
    const direction = DateTime.toEpochMillis(now) > serviceTime ? "ahead of" : "behind"
    // The header is in whole seconds.
    const seconds = Math.floor(Duration.toSeconds(skew))
    const found =
      seconds < 2 ? "same as the service" : `${Duration.format(Duration.seconds(seconds))} ${direction} the service`
    return Duration.isGreaterThan(skew, maxClockSkew)
      ? warning(check, found, "Set this machine's clock: token expiry and TLS depend on it.")
      : ok(check, found)
  })

const withoutResponse = (service: string, { origin }: URL, { code, isTls }: NoResponse): ReadonlyArray<Check> => {
  const [reachable, tls, clock] = [`${service} reachable`, `${service} TLS`, `${service} clock`]
  if (!isTls) {
    const reason = new Transport({ origin, code })
    const advice = Failure.plain(new RequestError({ service, operation: "Doctor.reach", reason, maybeApplied: false }))
    return [failed(reachable, "no response", advice), skipped(tls, "no response"), skipped(clock, "no response")]
  }
  const advice =
    "Check the URL and this machine's clock. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file."
  return [
    ok(reachable, `${origin} responds`),
    failed(tls, `failed (${code ?? "unknown reason"})`, advice),
    skipped(clock, "no response"),
  ]
}

/** Connects to the base URL of a service. Returns the checks, and whether more requests make sense. */
export const check = Effect.fnUntraced(function* (service: string, baseUrl: string) {
  const reachable = `${service} reachable`
  const parsed = Origin.parseBase(baseUrl)
  if (Result.isFailure(parsed))
    return { isReachable: false, checks: [failed(reachable, "the URL is invalid", parsed.failure.message)] }
  const url = parsed.success
  const response = yield* Effect.result(send(url))
  if (Result.isFailure(response)) return { isReachable: false, checks: withoutResponse(service, url, response.failure) }
  const tls = checkTls(service, url, response.success.tls)
  const clock = yield* checkClock(service, response.success.date)
  return { isReachable: tls.result !== "failed", checks: [ok(reachable, `${url.origin} responds`), tls, clock] }
})
