/** All attempts of a request: retries by the policy, and one more with a new credential after a 401. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import type { Failure } from "../Credential.js"
import { CredentialError, TimeoutError } from "../HttpError.js"
import type { Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as attempt from "./attempt.js"
import { type CredentialCache, type Header, secretsOf } from "./credentialCache.js"
import type { Pause } from "./limits.js"
import { isNotConnected } from "./systemCode.js"

export interface Client {
  readonly connection: attempt.Connection
  readonly credentials: CredentialCache
  readonly policy: RetryPolicy.RetryPolicy
  /** The remaining shared retries, in tenths. */
  budget: number
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
}

interface Progress {
  readonly timeLeft: Duration.Duration
  readonly retries: number
  readonly hasRenewed: boolean
  readonly secrets: ReadonlyArray<string>
  readonly previousError: string | undefined
  readonly maybeApplied: boolean
}

const mayBeApplied = (error: RequestError): boolean => {
  if (error._tag === "TransportError") return !isNotConnected(error.code)
  return error._tag === "TimeoutError" || ("status" in error && error.status >= 500)
}

/** `pause` waits without a permit of the semaphore. */
export const send = (
  client: Client,
  request: Request<unknown>,
  url: string,
  pause: Pause,
): Effect.Effect<attempt.Success, RequestError> => {
  const { connection, credentials, policy, timeout, totalTimeout } = client
  const { method, operation, idempotent = method === "GET", secrets = [] } = request
  const call = { service: connection.service, operation }
  const credentialError = Effect.mapError((failure: Failure) => new CredentialError({ ...failure, ...call }))
  let sent = 0

  const delay = (error: RequestError, { retries, timeLeft }: Progress) =>
    Effect.map(Random.next, (random) => {
      // The service does not process a request that it rejects with 429, so any method may be retried.
      if (!error.retryable || !(idempotent || error._tag === "RateLimited") || client.budget < 10) return Option.none()
      const retryAfter = "retryAfter" in error ? error.retryAfter : Option.none()
      // If the wait exceeds the total timeout, fail now.
      const delay = Option.filter(
        RetryPolicy.delay(policy, { retry: retries + 1, retryAfter, random }),
        Duration.isLessThan(timeLeft),
      )
      if (Option.isSome(delay)) client.budget -= 10
      return delay
    })

  /**
   * With a rate limiter, fetches the header before waiting, so that a failure wastes no permit, and again after it, because the header may have
   * expired.
   */
  const getHeader = credentialError(
    connection.rateLimiter === undefined
      ? credentials.get
      : Effect.andThen(Effect.andThen(credentials.prepare, connection.rateLimiter), credentials.get),
  )

  const sendNext = (progress: Progress): Effect.Effect<attempt.Success, RequestError> =>
    Effect.flatMap(getHeader, (header) => {
      const { maybeApplied, previousError, timeLeft } = progress
      const [scope, limit, duration] = Duration.isLessThan(timeLeft, timeout)
        ? (["total", totalTimeout, timeLeft] as const)
        : (["attempt", timeout, timeout] as const)
      const sending = attempt.send(connection, request, {
        url,
        header,
        secrets: () => [...progress.secrets, ...secretsOf(header)],
        timeout: duration,
        onTimeout: () => new TimeoutError({ ...call, origin: new URL(url).origin, scope, limit, previousError }),
        countResend: () => sent++,
        maybeApplied,
      })
      return Effect.flatMap(sending, ({ duration: elapsed, result }) => {
        const error = Option.getOrUndefined(Result.getFailure(result))
        if (error === undefined || ("status" in error && error.status < 500 && error.status !== 429))
          client.budget = Math.min(policy.budget * 10, client.budget + 1)
        return error === undefined
          ? Effect.fromResult(result)
          : retry(error, header, { ...progress, timeLeft: Duration.subtract(timeLeft, elapsed) })
      })
    })

  const retry = (
    error: RequestError,
    header: Header | undefined,
    { maybeApplied, previousError, ...progress }: Progress,
  ): Effect.Effect<attempt.Success, RequestError> =>
    Effect.gen(function* () {
      const next = {
        ...progress,
        secrets: [...progress.secrets, ...secretsOf(header)],
        previousError: error._tag === "TimeoutError" ? previousError : error.message,
        maybeApplied: maybeApplied || mayBeApplied(error),
      }
      if (error._tag === "Unauthorized" && !next.hasRenewed && credentials.renew(header))
        return yield* sendNext({ ...next, hasRenewed: true })
      const wait = yield* delay(error, next)
      if (Option.isNone(wait)) return yield* error
      yield* Effect.logDebug(`${error.message} Retrying in ${Duration.format(wait.value)}.`)
      yield* pause(Effect.sleep(wait.value))
      return yield* sendNext({
        ...next,
        timeLeft: Duration.subtract(next.timeLeft, wait.value),
        retries: next.retries + 1,
      })
    })

  return sendNext({
    timeLeft: totalTimeout,
    retries: 0,
    hasRenewed: false,
    secrets: secrets.map(Redacted.value),
    previousError: undefined,
    maybeApplied: false,
  })
}
