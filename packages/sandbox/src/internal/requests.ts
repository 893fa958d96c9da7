/** Records the requests of the sandbox, and makes requests fail or wait for tests. */
import { STATUS_CODES } from "node:http"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Effect from "effect/Effect"
import { refused } from "./appmgmt/errors.js"
import { nested } from "./healthErrors.js"
import type { App } from "./router.js"

/**
 * A request, without the headers that carry credentials (`authorization`, `proxy-authorization`, `cookie`, `x-api-token`).
 * @category models @since 0.1.0
 */
export interface Request {
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

/** An error response: a status (400 to 599), with an optional `Retry-After` in seconds. @category models @since 0.1.0 */
export type Refusal = number | { readonly status: number; readonly retryAfter: number }

/** Decides whether a request gets an error response. If it returns an effect, the request waits for it. @category models @since 0.1.0 */
export type Refuse = (request: Request) => Refusal | undefined | Effect.Effect<Refusal | undefined>

const withoutSecrets = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): Request => ({
  method,
  target: url,
  headers: { ...Headers.removeMany(headers, ["authorization", "proxy-authorization", "cookie", "x-api-token"]) },
})

const respond = (refusal: Refusal, isAppManagement: boolean) => {
  const { retryAfter, status } = typeof refusal === "number" ? { retryAfter: undefined, status: refusal } : refusal
  const code = (STATUS_CODES[status] ?? "Refused").replaceAll(" ", "")
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
  const fail = isAppManagement ? refused : nested
  return Effect.flip(fail(status, code, "A test refuses this request.", headers))
}

export const make = (maxRecordedRequests: number, isAppManagement: (target: string) => boolean) => {
  const requests: Array<Request> = []
  let inFlight = 0
  let maxInFlight = 0
  let refuse: Refuse = () => undefined
  return {
    requests: Effect.sync((): ReadonlyArray<Request> => [...requests]),
    maxInFlight: Effect.sync(() => maxInFlight),
    refuse: (f: Refuse): Effect.Effect<void> => Effect.sync(() => void (refuse = f)),
    /** In flight means until the response is made, not until it is sent: otherwise the client's next request could count as concurrent. */
    record: <E, R>(app: App<E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        requests.push(withoutSecrets(request))
        if (requests.length > maxRecordedRequests) requests.shift()
        maxInFlight = Math.max(maxInFlight, ++inFlight)
        const finish = Effect.sync(() => inFlight--)
        return Effect.ensuring(app, finish)
      }),
    applyRefusals: Effect.fnUntraced(function* <E, R>(app: App<E, R>) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const decision = refuse(withoutSecrets(request))
      const refusal = Effect.isEffect(decision) ? yield* Effect.interruptible(decision) : decision
      return refusal === undefined ? yield* app : yield* respond(refusal, isAppManagement(request.url))
    }),
  }
}
