/** What the sandbox records of its requests, and the hook by which a test makes requests fail or wait. */
import { STATUS_CODES } from "node:http"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import { refused } from "./appmgmt/errors.js"
import { send } from "./errorResponse.js"
import { nested } from "./healthErrors.js"

/**
 * A request, as the sandbox received it. Headers that carry credentials (`authorization`, `proxy-authorization`, `cookie`,
 * `x-api-token`) are left out.
 * @category models
 * @since 0.1.0
 */
export interface Request {
  /** In upper case. */
  readonly method: string
  /** Path and query, as the client spelled them. */
  readonly target: string
  /** By lower-case name. The values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * How a request fails: with a `status` (from 400 to 599), and with a `Retry-After` of `retryAfter` seconds, if it is set.
 * @category models
 * @since 0.1.0
 */
export type Refusal = number | { readonly status: number; readonly retryAfter: number }

/**
 * Decides how a request fails; `undefined` if it does not. If it returns an effect, the request waits for it, so that a test can
 * hold requests until it has seen enough of them.
 * @category models
 * @since 0.1.0
 */
export type Refuse = (request: Request) => Refusal | undefined | Effect.Effect<Refusal | undefined>

const secret = new Set(["authorization", "proxy-authorization", "cookie", "x-api-token"])

const withoutSecrets = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): Request => ({
  method,
  target: url,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name))),
})

/** The error response in the form of the API that the request is for. */
const respond = (refusal: Refusal, isAppManagement: boolean) => {
  const status = typeof refusal === "number" ? refusal : refusal.status
  const headers: Readonly<Record<string, string>> =
    typeof refusal === "number" ? {} : { "retry-after": String(refusal.retryAfter) }
  const code = (STATUS_CODES[status] ?? "Refused").replaceAll(" ", "")
  const message = "The sandbox was told to refuse."
  const error = isAppManagement ? refused(status, code, message, headers) : nested(status, code, message, headers)
  return Effect.catchAll(error, send)
}

/** Records the last `kept` requests, and refuses none. */
export const make = (kept: number, isAppManagement: (target: string) => boolean) => {
  const requests: Array<Request> = []
  let inFlight = 0
  let mostAtOnce = 0
  let refuse: Refuse = () => undefined
  return {
    requests: Effect.sync((): ReadonlyArray<Request> => [...requests]),
    mostAtOnce: Effect.sync(() => mostAtOnce),
    refuse: (f: Refuse): Effect.Effect<void> => Effect.sync(() => void (refuse = f)),
    /**
     * Counts a request as in flight until its response is made or it is interrupted. That is before the response is sent: otherwise
     * the next request of the same client could count as a second one at the same time.
     */
    recorded: <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        requests.push(withoutSecrets(request))
        if (requests.length > kept) requests.shift()
        mostAtOnce = Math.max(mostAtOnce, ++inFlight)
        return Effect.ensuring(
          app,
          Effect.sync(() => inFlight--),
        )
      }),
    /** Answers the requests that `refuse` refuses. */
    refusable: <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const found = refuse(withoutSecrets(request))
        const refusal = Effect.isEffect(found) ? yield* Effect.interruptible(found) : found
        return refusal === undefined ? yield* app : yield* respond(refusal, isAppManagement(request.url))
      }),
  }
}
