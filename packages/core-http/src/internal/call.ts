/** One call. The functions are in the order of its steps: total timeout, permit, retries, credential, attempt. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Link from "../Link.js"
import * as Reason from "../Reason.js"
import type { Options } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import type { Retry } from "../Retry.js"
import * as attempt from "./attempt.js"
import type { CredentialCache, Header } from "./credentialCache.js"
import type { Ended } from "./gate.js"
import * as httpRequest from "./httpRequest.js"
import { redact } from "./redact.js"
import type { Semaphore, WithoutPermit } from "./semaphore.js"
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

/** What reads the response of a call, within its span and its total timeout. */
export type Finish<A> = (call: attempt.Call, response: attempt.Success) => Effect.Effect<A, RequestError>

/** A call begins when it has its permit: thousands may wait, so those have no span and no other state. */
export const run = <A>(
  client: Client,
  request: HttpClientRequest.HttpClientRequest,
  options: Options,
  finish: Finish<A>,
): Effect.Effect<A, RequestError> =>
  Effect.clockWith((clock) => {
    const { base, service, totalTimeout: limit } = client
    const started = clock.monotonicTimeNanosUnsafe()
    const elapsed = () => clock.monotonicTimeNanosUnsafe() - started
    const timeLeft = () => Duration.toMillis(limit) - Number(elapsed()) / 1e6
    const timeout: Effect.Effect<never, RequestError> = Effect.suspend(() => {
      const millis = Math.ceil(timeLeft())
      if (millis > 0) return Effect.andThen(Effect.sleep(millis), timeout)
      const unsent = { service, operation: options.operation ?? request.method, maybeApplied: false }
      return attempt.toError(unsent, new Reason.Timeout({ origin: base.origin, scope: "total", limit }))
    })
    return client.withPermit((withoutPermit) => {
      if (timeLeft() <= 0) return timeout
      const waited = elapsed()
      return begin(client, request, options, (call) => {
        const finished = Effect.flatMap(attempts(client, call, timeLeft, withoutPermit), (response) =>
          finish(call, response),
        )
        return Effect.andThen(
          telemetry.waited(call, waited),
          Effect.mapError(attempt.withTimeout(finished, call, "total", limit, Duration.millis(timeLeft())), (error) =>
            error._tag === "Timeout" ? attempt.toError(call, error) : error,
          ),
        )
      })
    }, timeout)
  })

/** Opens the span of a call. Refuses a URL of another origin. */
const begin = <A>(
  client: Client,
  request: HttpClientRequest.HttpClientRequest,
  options: Options,
  use: (call: attempt.Call) => Effect.Effect<A, RequestError>,
): Effect.Effect<A, RequestError> =>
  Effect.withFiber((fiber) => {
    const url = httpRequest.resolve(client.base, request, client.trusted)
    const target = Result.getOrElse(url, () => client.base)
    const secrets = [...(options.secrets ?? []).map(Redacted.value), ...httpRequest.secretsOf(request, fiber)]
    const sent = { request, options, secrets, parameters: client.parameters }
    const call: attempt.Call = {
      ...sent,
      service: client.service,
      operation: options.operation ?? request.method,
      url: target,
      shown: httpRequest.show(sent, target),
      requests: 0,
      maybeApplied: false,
      hasTimedOut: false,
      previousError: undefined,
    }
    const result = Result.isFailure(url) ? refuse(client, call, url.failure) : use(call)
    const { attributes, operation, span: name = operation } = options
    if (name === undefined) return result
    return telemetry.inSpan(name, { attributes }, (span) =>
      // Capturing a stack trace takes as long as making the span, and would only show this file.
      Effect.withParentSpan(result, span, { captureStackTrace: false }),
    )
  })

/** The credential is removed from the origin of the link, and is not fetched. */
const refuse = (client: Client, call: attempt.Call, { target, ...refusal }: Link.Refusal) =>
  Effect.flatMap(Effect.ignore(readHeader(client.credentials.known, call)), () => {
    const reason = new Reason.Link({ ...refusal, target: target && redact(target, call, 300) })
    return attempt.toError(call, reason)
  })

const attempts = (client: Client, call: attempt.Call, timeLeft: () => number, withoutPermit: WithoutPermit) => {
  let step: Step | undefined
  let hasRenewed = false

  const getHeader = readHeader(client.credentials.get, call)

  const next: Effect.Effect<attempt.Success, RequestError> = Effect.flatMap(getHeader, (first) =>
    // A wait for the credential would separate the request from its turn. Only a wait for its turn may outlast the credential.
    client.gate.run((hasWaited) =>
      Effect.flatMap(hasWaited ? getHeader : Effect.succeed(first), (header) => sendOnce(client, call, header)),
    ),
  ).pipe(
    Effect.flatMap((sent) => {
      if (sent.error === undefined || !isOverload(sent.error)) restore(client)
      return sent.error === undefined ? sent.end : recover(sent, sent.error)
    }),
  )

  const recover = Effect.fnUntraced(function* ({ end, header, pause }: Sent, error: RequestError) {
    if (error.reason._tag !== "Timeout") call.previousError = error.message
    if (error.reason._tag === "Unauthorized" && !hasRenewed && client.credentials.renew(header)) {
      hasRenewed = true
      if (httpRequest.isRepeatable(call.request)) return yield* next
    }
    step ??= yield* Schedule.toStep(client.retry)
    const wait = yield* waitBefore(client, call, { error, pause }, step, timeLeft)
    if (wait === undefined) return yield* end
    yield* Effect.logDebug(`${error.message} Retrying in ${Duration.format(wait)}.`)
    yield* telemetry.retried(call, error.reason)
    yield* withoutPermit(Effect.sleep(wait))
    return yield* next
  })

  return next
}

/** `end`: the outcome without a further attempt. */
interface Sent extends Ended {
  readonly header: Header | undefined
  readonly error: RequestError | undefined
  readonly end: Effect.Effect<attempt.Success, RequestError>
}

/** An error response that the caller accepts is retried like others, and returned in the end. */
const sendOnce = (client: Client, call: attempt.Call, header: Header | undefined): Effect.Effect<Sent> =>
  Effect.flatMap(Effect.result(attempt.send({ connection: client, call, header })), (result) => {
    const sent = { header, error: undefined, end: Effect.fromResult(result), pause: Duration.zero }
    if (Result.isFailure(result)) return paused(client, { ...sent, error: result.failure })
    if (attempt.isOk(result.success.status)) return Effect.succeed(sent)
    return Effect.flatMap(attempt.toReason(client, call, header, result.success), (reason) =>
      paused(client, { ...sent, error: attempt.toError(call, reason) }),
    )
  })

/** All requests of the client wait as long as the service asks for, up to `maxRetryAfter`. */
const paused = ({ maxRetryAfter }: Client, sent: Sent & { readonly error: RequestError }): Effect.Effect<Sent> => {
  const { retryAfter = Duration.zero, isRetryable } = sent.error
  if (!isRetryable || Duration.isZero(retryAfter) || Duration.isGreaterThan(retryAfter, maxRetryAfter))
    return Effect.succeed(sent)
  // A tenth more, so that not all clients come back at once.
  return Effect.map(Random.next, (random) => {
    const millis = Math.floor(Duration.toMillis(retryAfter) * (1 + random / 10))
    return { ...sent, pause: Duration.min(Duration.millis(millis), maxRetryAfter) }
  })
}

/** Adds the credential to the secrets of the call. */
const readHeader = (header: CredentialCache["get"], call: attempt.Call) =>
  Effect.mapBoth(header, {
    onFailure: (reason) => attempt.toError(call, reason),
    onSuccess: (header) => {
      if (header !== undefined) attempt.hide(call, httpRequest.formsOf(header.value))
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

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"])

/** The wait before the next attempt, or `undefined` if this was the last. */
const waitBefore = (
  client: Client,
  { options: { idempotent }, request }: attempt.Call,
  { error, pause }: { readonly error: RequestError; readonly pause: Duration.Duration },
  step: Step,
  timeLeft: () => number,
): Effect.Effect<Duration.Duration | undefined> => {
  // The service does not process a request that it rejects with 429, so any method may be retried.
  const isSafe = idempotent ?? safeMethods.has(request.method)
  const mayRepeat = httpRequest.isRepeatable(request) && (isSafe || error.reason._tag === "RateLimited")
  const requested = error.retryAfter ?? Duration.zero
  if (!error.isRetryable || !mayRepeat || client.budget < 10) return Effect.undefined
  if (Duration.isGreaterThan(requested, client.maxRetryAfter)) return Effect.undefined
  return Effect.gen(function* () {
    const [, planned] = yield* step(yield* Clock.currentTimeMillis, error)
    const wait = Duration.max(planned, pause)
    // If the wait exceeds the total timeout, the call fails now. The schedule may have taken time, in which others retried.
    if (Duration.toMillis(wait) >= timeLeft() || client.budget < 10) return undefined
    client.budget -= 10
    return wait
  }).pipe(Pull.catchDone(() => Effect.undefined))
}
