/** One call. The functions are in the order of its steps: permit, total timeout, retries, credential, attempt. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Reason from "../Reason.js"
import type { Options } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import * as Span from "../Span.js"
import * as StatusReason from "../StatusReason.js"
import * as attempt from "./attempt.js"
import { type Call, type Client, type Success, toError } from "./client.js"
import * as errorResponse from "./errorResponse.js"
import type { Ended } from "./gate.js"
import * as httpRequest from "./httpRequest.js"
import { redact } from "./redact.js"
import * as telemetry from "./telemetry.js"

/** What reads the response of a call, within its span and its total timeout. */
export type Finish<A> = (call: Call, response: Success) => Effect.Effect<A, RequestError>

/** A call begins when it has its permit. Thousands may wait, so a waiting one has no span and no timer of its own. */
export const run = <A>(
  client: Client,
  request: HttpClientRequest.HttpClientRequest,
  options: Options,
  finish: Finish<A>,
): Effect.Effect<A, RequestError> =>
  Effect.withFiber((fiber) => {
    const { base, totalTimeout: limit } = client
    const { operation = request.method } = options
    const clock = fiber.getRef(Clock.Clock)
    const started = clock.monotonicTimeNanosUnsafe()
    const timeLeft = () => Duration.toMillis(limit) - Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
    const expired: Effect.Effect<never, RequestError> = Effect.suspend(() => {
      const millis = Math.ceil(timeLeft())
      return millis > 0
        ? Effect.andThen(Effect.sleep(millis), expired)
        : toError(
            { client, operation, maybeApplied: false },
            new Reason.Timeout({ origin: base.origin, scope: "wait", limit }),
          )
    })
    return client.withPermit((permit) => {
      if (timeLeft() <= 0) return expired
      const declared = httpRequest.secretsOf(request, options, fiber)
      if (Result.isFailure(declared)) return toError({ client, operation, maybeApplied: false }, declared.failure)
      const secrets = new Set(declared.success)
      const url = httpRequest.resolve(base, request, client.trusted)
      const target = Result.getOrElse(url, () => base)
      const sent = { request, options, secrets, parameters: client.parameters }
      const call: Call = {
        ...sent,
        client,
        operation,
        url: target,
        shown: httpRequest.show(sent, target),
        timeLeft,
        permit,
        header: undefined,
        requests: 0,
        maybeApplied: false,
        hasTimedOut: false,
        refusesAll: false,
        previousError: undefined,
      }
      const result = Result.isFailure(url) ? refuse(call, url.failure) : timed(call, finish)
      return Effect.andThen(telemetry.waited(call, clock.monotonicTimeNanosUnsafe() - started), inSpan(options, result))
    }, expired)
  })

/** A call without an operation has no span of its own. */
const inSpan = <A>({ attributes, operation, span = operation }: Options, effect: Effect.Effect<A, RequestError>) =>
  span === undefined ? effect : Span.run(span, { attributes })(effect)

/** The credential is removed from the origin of the link, and is not fetched. */
const refuse = (call: Call, { target, ...refusal }: httpRequest.Refusal) =>
  Effect.flatMap(Effect.ignore(attempt.readHeader(call, call.client.credentials.known)), () => {
    const reason = new Reason.Link({ ...refusal, target: target && redact(target, call, 300) })
    return toError(call, reason)
  })

/** The total timeout covers every wait. A decoder may send requests by the same client, so it has no permit. */
const timed = <A>(call: Call, finish: Finish<A>) => {
  const finished = Effect.flatMap(attempts(call), (response) => {
    call.permit.release()
    return finish(call, response)
  })
  return Effect.mapError(attempt.withTimeout(finished, call, "total", call.timeLeft()), (error) =>
    error._tag === "Timeout" ? toError(call, error) : error,
  )
}

const attempts = (call: Call) => {
  const { client, options, permit } = call
  const sender = { key: options.refusalKey, permit }
  let step: Step | undefined
  let hasRenewed = false

  const next: Effect.Effect<Success, RequestError> = client.gate
    .run(attempt.readHeader(call, client.credentials.get), sendOnce(call), sender)
    .pipe(
      Effect.mapError((reason) => toError(call, reason)),
      Effect.flatMap((sent) => {
        if (sent.error === undefined || !isOverload(sent.error)) restore(client)
        return sent.error === undefined ? sent.end : recover(sent, sent.error)
      }),
    )

  const recover = Effect.fnUntraced(function* ({ end, pause }: Sent, error: RequestError) {
    if (error.reason._tag !== "Timeout") call.previousError = error.message
    if (error.reason._tag === "Unauthorized" && !hasRenewed && client.credentials.renew(call.header)) {
      hasRenewed = true
      if (httpRequest.isRepeatable(call.request)) return yield* next
    }
    step ??= yield* Schedule.toStep(client.retry)
    const wait = yield* waitBefore(call, error, pause, step)
    if (wait === undefined) return yield* end
    yield* Effect.logDebug(`${error.message} Retrying in ${Duration.format(wait)}.`)
    yield* telemetry.retried(call, error.reason)
    yield* call.permit.without(Effect.sleep(wait))
    return yield* next
  })

  return next
}

/** `end`: the outcome without a further attempt. */
interface Sent extends Ended {
  readonly error: RequestError | undefined
  readonly end: Effect.Effect<Success, RequestError>
}

/** An error response that the caller accepts is retried like others, and returned in the end. */
const sendOnce = (call: Call): Effect.Effect<Sent> =>
  Effect.flatMap(Effect.result(attempt.send(call)), (result) => {
    const sent = { error: undefined, end: Effect.fromResult(result), pause: Duration.zero }
    if (Result.isFailure(result)) {
      const error = result.failure
      return paused(call, { ...sent, error, isUnanswered: isUnanswered(error) })
    }
    if (attempt.isOk(result.success.status)) return Effect.succeed(sent)
    return Effect.flatMap(errorResponse.toReason(call, result.success), (reason) =>
      paused(call, { ...sent, error: toError(call, reason) }),
    )
  })

/**
 * The requests with the same key, or all of the client, wait as long as the service asks for. A longer wait than `maxRetryAfter` may be that of a
 * single resource, such as a subscription.
 */
const paused = (
  { client: { maxRetryAfter }, refusesAll: isForAll }: Call,
  ended: Sent & { readonly error: RequestError },
): Effect.Effect<Sent> => {
  const sent = { ...ended, isForAll }
  const { retryAfter = Duration.zero, isRetryable, reason } = sent.error
  if (!isRetryable) return Effect.succeed(sent)
  if ("status" in reason && Duration.isGreaterThan(retryAfter, maxRetryAfter)) {
    const detail = "not sent, because earlier requests got this response"
    const refusal = StatusReason.fromResponse({ status: reason.status, retryAfter: maxRetryAfter, detail })
    return Effect.succeed({ ...sent, pause: maxRetryAfter, refusal })
  }
  // A tenth more, so that not all clients come back at once.
  return Effect.map(Random.next, (random) => {
    const millis = Math.floor(Duration.toMillis(retryAfter) * (1 + random / 10))
    return { ...sent, pause: Duration.min(Duration.millis(millis), maxRetryAfter) }
  })
}

const isUnanswered = ({ reason }: RequestError): boolean => reason._tag === "Transport" || reason._tag === "Timeout"

/** Whether there was no response, or one that reports an overload. */
const isOverload = (error: RequestError): boolean =>
  "status" in error.reason ? error.reason.status >= 500 || error.reason.status === 429 : isUnanswered(error)

/** A tenth of a retry. */
const restore = (client: Client): void => {
  client.budget = Math.min(client.maxBudget, client.budget + 1)
}

type Step = Effect.Success<ReturnType<typeof Schedule.toStep<unknown, RequestError, never, never>>>

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"])

/** The wait before the next attempt, or `undefined` if this was the last. */
const waitBefore = (
  { client, options: { idempotent }, request, timeLeft }: Call,
  error: RequestError,
  pause: Duration.Duration,
  step: Step,
): Effect.Effect<Duration.Duration | undefined> => {
  // The service does not process a request that it rejects with 429, so any method may be retried.
  const isSafe = idempotent ?? safeMethods.has(request.method)
  const mayRepeat = httpRequest.isRepeatable(request) && (isSafe || error.reason._tag === "RateLimited")
  const requested = error.retryAfter ?? Duration.zero
  const isTooLong = Duration.isGreaterThan(requested, client.maxRetryAfter)
  if (!error.isRetryable || !mayRepeat || isTooLong || client.budget < 10) return Effect.undefined
  return Effect.flatMap(Clock.currentTimeMillis, (now) => step(now, error)).pipe(
    Effect.map(([, planned]) => {
      const wait = Duration.max(planned, pause)
      // If the wait exceeds the total timeout, the call fails now. The schedule may have taken time, in which others retried.
      if (Duration.toMillis(wait) >= timeLeft() || client.budget < 10) return undefined
      client.budget -= 10
      return wait
    }),
    Pull.catchDone(() => Effect.undefined),
  )
}
