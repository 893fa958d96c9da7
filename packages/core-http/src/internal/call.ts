/** One call. The functions are in the order of its steps: total timeout, permit, retries, credential, attempt, decoding. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Decoder from "../Decoder.js"
import * as ErrorBody from "../ErrorBody.js"
import * as Link from "../Link.js"
import * as Reason from "../Reason.js"
import type { Request, WithUrl } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import type { Retry } from "../Retry.js"
import * as attempt from "./attempt.js"
import * as body from "./body.js"
import { type CredentialCache, type Header, secretsOf } from "./credentialCache.js"
import type { Pause, Semaphore } from "./limits.js"
import { redact } from "./redact.js"
import * as telemetry from "./telemetry.js"

/** A client, as one record. */
export interface Client extends attempt.Connection {
  readonly base: URL
  readonly withPermit: Semaphore
  readonly credentials: CredentialCache
  readonly retry: Retry
  readonly maxRetryAfter: Duration.Duration
  readonly maxBudget: number
  /** The remaining retries that all calls share, in tenths. */
  budget: number
  readonly totalTimeout: Duration.Duration
}

export const run = <A>(client: Client, request: Request<A>): Effect.Effect<WithUrl<A>, RequestError> =>
  telemetry.inSpan(request.operation, { attributes: request.attributes }, (span) => {
    const url = Redacted.isRedacted(request.url) ? Redacted.value(request.url) : request.url
    const link = Link.resolve(client.base, url, client.trusted)
    const call: attempt.Call = {
      service: client.service,
      request,
      url: Result.isSuccess(link) ? new URL(link.success) : client.base,
      secrets: (request.secrets ?? []).map(Redacted.value),
      requests: 0,
      maybeApplied: false,
      hasTimedOut: false,
      previousError: undefined,
    }
    const result = Result.isFailure(link) ? refuse(client, call, link.failure) : timed(client, call, request)
    // Capturing a stack trace takes as long as making the span, and would only show this file.
    return Effect.withParentSpan(result, span, { captureStackTrace: false })
  })

/** The credential is removed from the origin of the link, and is not fetched. */
const refuse = (client: Client, call: attempt.Call, { target, ...refusal }: Link.Refusal) =>
  Effect.flatMap(Effect.ignore(readHeader(client.credentials.known, call)), () => {
    const reason = new Reason.Link({ ...refusal, target: target && redact(target, call.secrets, 300) })
    return Effect.fail(attempt.toError(call, reason))
  })

/** The total timeout covers every wait. */
const timed = <A>(client: Client, call: attempt.Call, request: Request<A>) =>
  Effect.clockWith((clock) => {
    const { totalTimeout: limit } = client
    const started = clock.monotonicTimeNanosUnsafe()
    const timeLeft = () => Duration.toMillis(limit) - Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
    const decoded = Effect.flatMap(
      client.withPermit((pause) => attempts(client, call, timeLeft, pause)),
      (success) => decode(call, request, success),
    )
    return Effect.mapError(attempt.withTimeout(decoded, call, "total", limit), (error) =>
      error._tag === "Timeout" ? attempt.toError(call, error) : error,
    )
  })

/** `pause` waits without the permit. */
const attempts = (client: Client, call: attempt.Call, timeLeft: () => number, pause: Pause) => {
  let step: Step | undefined
  let hasRenewed = false

  const next: Effect.Effect<attempt.Success, RequestError> = Effect.flatMap(
    Effect.andThen(client.rateLimiter.wait, readHeader(client.credentials.get, call)),
    (header) =>
      Effect.matchEffect(attempt.send({ connection: client, call, header }), {
        onFailure: (error) => {
          if (!isOverload(error)) restore(client)
          return recover(error, header)
        },
        onSuccess: (success) => {
          restore(client)
          return Effect.succeed(success)
        },
      }),
  )

  const recover = Effect.fnUntraced(function* (error: RequestError, header: Header | undefined) {
    if (error.reason._tag !== "Timeout") call.previousError = error.message
    if (error.reason._tag === "Unauthorized" && !hasRenewed && client.credentials.renew(header)) {
      hasRenewed = true
      return yield* next
    }
    step ??= yield* Schedule.toStep(client.retry)
    const wait = yield* waitBefore(client, call, error, step, timeLeft)
    if (wait === undefined) return yield* error
    yield* Effect.logDebug(`${error.message} Retrying in ${Duration.format(wait)}.`)
    yield* pause(Effect.sleep(wait))
    return yield* next
  })

  return next
}

/** Adds the credential to the secrets of the call, for good: a response may also repeat one that was rejected before. */
const readHeader = (header: CredentialCache["get"], call: attempt.Call) =>
  Effect.mapBoth(header, {
    onFailure: (reason) => attempt.toError(call, reason),
    onSuccess: (header) => {
      call.secrets.push(...secretsOf(header).filter((secret) => !call.secrets.includes(secret)))
      return header
    },
  })

/** Whether there was no response, or one that reports an overload. */
const isOverload = ({ reason }: RequestError): boolean =>
  "status" in reason
    ? reason.status >= 500 || reason.status === 429
    : reason._tag === "Transport" || reason._tag === "Timeout"

/** A tenth of a retry. */
const restore = (client: Client): void => {
  client.budget = Math.min(client.maxBudget, client.budget + 1)
}

type Step = Effect.Success<ReturnType<typeof Schedule.toStep<unknown, RequestError, never, never>>>

/** The wait before the next attempt, or `undefined` if this was the last. */
const waitBefore = (
  client: Client,
  { request: { idempotent, method } }: attempt.Call,
  error: RequestError,
  step: Step,
  timeLeft: () => number,
): Effect.Effect<Duration.Duration | undefined> => {
  // The service does not process a request that it rejects with 429, so any method may be retried.
  const mayRepeat = (idempotent ?? method === "GET") || error.reason._tag === "RateLimited"
  const requested = error.retryAfter ?? Duration.zero
  if (!error.retryable || !mayRepeat || client.budget < 10) return Effect.undefined
  if (Duration.isGreaterThan(requested, client.maxRetryAfter)) return Effect.undefined
  return Effect.gen(function* () {
    const [, planned] = yield* step(yield* Clock.currentTimeMillis, error)
    // A tenth more, so that not all clients come back at once.
    const millis = Math.floor(Duration.toMillis(requested) * (1 + (yield* Random.next) / 10))
    const wait = Duration.max(planned, Duration.min(Duration.millis(millis), client.maxRetryAfter))
    // If the wait exceeds the total timeout, the call fails now. The schedule may have taken time, in which others retried.
    if (Duration.toMillis(wait) >= timeLeft() || client.budget < 10) return undefined
    client.budget -= 10
    return wait
  }).pipe(Pull.catchDone(() => Effect.undefined))
}

const decode = <A>(
  call: attempt.Call,
  request: Request<A>,
  { encoding, status, text, url }: attempt.Success,
): Effect.Effect<WithUrl<A>, RequestError> => {
  // The body of a 205 is ignored.
  const isEmpty = status === 204 || status === 205 || (text === "" && request.method !== "GET")
  const isIgnored = request.decode === Decoder.ignore
  const json = isEmpty || isIgnored ? Result.succeed(undefined) : body.json(text, encoding)
  const content = request.responseType === "text" ? Result.succeed(text) : json
  return Effect.mapBoth(Effect.flatMap(Effect.fromResult(content), request.decode), {
    // The keys of a map are part of the path, and may contain anything.
    onFailure: ({ path, problem }) => {
      const clean = (text: string, length = 200) => redact(text, call.secrets, length)
      const { code, message } = ErrorBody.inSuccess(Result.getOrUndefined(content)) ?? {}
      const error = { code: code && clean(code, 100), detail: message && clean(message, 500) }
      return attempt.toError(call, new Reason.Decode({ path: clean(path), problem: clean(problem), ...error }))
    },
    onSuccess: (value) => ({ value, url: url.href }),
  })
}
