/** Reads an error response: the code and message of its body, the request ID, and `Retry-After`. */
import type * as Headers from "effect/http/Headers"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as StatusReason from "../StatusReason.js"
import * as body from "./body.js"
import type { Call } from "./client.js"
import { redact } from "./redact.js"

/**
 * RFC 9110, section 10.2.3. `undefined` if the header is missing, negative or invalid. `Headers.parseRetryAfter` of Effect would add 500 bytes to
 * each bundle.
 */
const retryAfter = (header: string | undefined, now: number): Duration.Duration | undefined => {
  const text = header?.trim() ?? ""
  // At most a century: an error with a much longer time could not be encoded.
  if (/^\d+$/.test(text)) return Duration.seconds(Math.min(Number(text), 3e9))
  // Dates are in GMT, although one of their three formats omits it.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
}

/** Ignores a body that is too long or takes too long. */
export const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<body.Content | undefined> =>
  Effect.raceFirst(
    Effect.catch(body.bytes(response, response.headers, 64 * 1024), () => Effect.undefined),
    Effect.as(Effect.sleep("2 seconds"), undefined),
  )

/** The reason of an error response. No text in it contains a secret of the call. */
export const toReason = (
  call: Call,
  {
    bytes,
    headers,
    status,
  }: { readonly bytes: body.Content | undefined; readonly headers: Headers.Headers; readonly status: number },
): Effect.Effect<StatusReason.StatusReason> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { parseErrorBody, refusesAll, requestIds } = call.client
    call.refusesAll = refusesAll(headers)
    const text = bytes && body.text(bytes)
    const json = text && Result.getOrElse(body.json(text, undefined), () => text)
    const error = Option.getOrUndefined(Option.liftThrowable(parseErrorBody)(json))
    const clean = (text: string | undefined, length: number) => (text ? redact(text, call, length) : undefined)
    return StatusReason.fromResponse({
      status,
      code: clean(error?.code, 100),
      detail: clean(error?.message, 500),
      requestId: clean(requestIds.map((name) => headers[name]).find(Boolean), 100),
      retryAfter: retryAfter(headers["retry-after"], now),
      credentialSource: call.header?.source,
    })
  })
