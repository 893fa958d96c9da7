/** All attempts at one request: retries by the policy, and one more with a new credential after a 401. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { Failure } from "../Credential.js"
import { CredentialError, TimeoutError } from "../HttpError.js"
import type { Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as attempt from "./attempt.js"
import { type CredentialCache, secretsOf } from "./credentialCache.js"
import type { Pause } from "./limits.js"
import { isUnreached } from "./systemCode.js"

/** What all requests of a client share. */
export interface Client {
  readonly connection: attempt.Connection
  readonly credentials: CredentialCache
  readonly policy: RetryPolicy.RetryPolicy
  /** How many retries all requests of the client may still make, in tenths. */
  budget: number
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
}

/** What the next attempt depends on. */
interface Progress {
  /** What is left of the total timeout. */
  readonly left: Duration.Duration
  readonly retries: number
  readonly hasRenewed: boolean
  readonly secrets: ReadonlyArray<string>
  /** The message of the last error that was not a timeout. */
  readonly before: string | undefined
  /** Whether an earlier attempt may have been carried out. */
  readonly repeated: boolean
}

/** Whether the service may have carried out a request that failed with this error. */
const isDoubtful = (error: RequestError): boolean => {
  if (error._tag === "TransportError") return !isUnreached(error.code)
  return error._tag === "TimeoutError" || ("status" in error && error.status >= 500)
}

/** Sends a request until it succeeds or must not be retried. `pause` waits without a permit of the concurrency limit. */
export const send = (
  client: Client,
  request: Request<unknown>,
  url: string,
  pause: Pause,
): Effect.Effect<attempt.Success, RequestError> => {
  const { connection, credentials, policy, timeout, totalTimeout } = client
  const { method, operation, repeatable = method === "GET" } = request
  const call = { service: connection.service, operation }
  const credentialError = Effect.mapError((failure: Failure) => new CredentialError({ ...failure, ...call }))
  let sent = 0

  /** How long to wait before the next attempt; `None` if there is none. */
  const delay = (error: RequestError, { left, retries }: Progress) =>
    Effect.map(Random.next, (random) => {
      // The service rejects a 429 before it looks at the request, so that any method may be repeated.
      if (!error.retryable || !(repeatable || error._tag === "RateLimited") || client.budget < 10) return Option.none()
      const retryAfter = "retryAfter" in error ? error.retryAfter : Option.none()
      // An error now is better than the same one after a wait.
      const delay = Option.filter(
        RetryPolicy.delay(policy, { retry: retries + 1, retryAfter, random }),
        Duration.lessThan(left),
      )
      if (Option.isSome(delay)) client.budget -= 10
      return delay
    })

  const from = (progress: Progress): Effect.Effect<attempt.Success, RequestError> =>
    Effect.gen(function* () {
      const { before, left, repeated } = progress
      const [scope, after, limit] = Duration.lessThan(left, timeout)
        ? (["total", totalTimeout, left] as const)
        : (["attempt", timeout, timeout] as const)
      // Fetched before the rate limit, which should not pass meanwhile, and after it, as it may have expired.
      yield* credentialError(credentials.prepare)
      yield* connection.rateLimiter
      const header = yield* credentialError(credentials.get)
      const secrets = [...progress.secrets, ...secretsOf(header)]
      const { result, took } = yield* attempt.send(connection, request, {
        url,
        header,
        secrets,
        limit,
        onTimeout: () => new TimeoutError({ ...call, origin: new URL(url).origin, scope, after, before }),
        resend: () => sent++,
        repeated,
      })
      const error = Option.getOrUndefined(Either.getLeft(result))
      if (error === undefined || ("status" in error && error.status < 500 && error.status !== 429))
        client.budget = Math.min(policy.budget * 10, client.budget + 1)
      if (error === undefined) return yield* result
      const next = {
        ...progress,
        left: Duration.subtract(left, took),
        secrets,
        before: error._tag === "TimeoutError" ? before : error.message,
        repeated: repeated || isDoubtful(error),
      }
      if (error._tag === "Unauthorized" && !progress.hasRenewed && credentials.renew(header))
        return yield* from({ ...next, hasRenewed: true })
      const wait = yield* delay(error, next)
      if (Option.isNone(wait)) return yield* error
      yield* Effect.logDebug(`${error.message} Sent again in ${Duration.format(wait.value)}.`)
      yield* pause(Effect.sleep(wait.value))
      return yield* from({ ...next, left: Duration.subtract(next.left, wait.value), retries: next.retries + 1 })
    })

  return from({ left: totalTimeout, retries: 0, hasRenewed: false, secrets: [], before: undefined, repeated: false })
}
