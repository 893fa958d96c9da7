/** All attempts at one request: repeated as the policy says, and once more with a new credential. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { Failure } from "../Credential.js"
import { CredentialError, TimeoutError } from "../HttpError.js"
import type { Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import * as RetryPolicy from "../RetryPolicy.js"
import type { Budget } from "./budget.js"
import * as connection from "./connection.js"
import * as exchange from "./exchange.js"
import type { Semaphore } from "./semaphore.js"
import { type Held, secrets, type Vault } from "./vault.js"

/** What all requests of a client share. */
export interface Rules {
  readonly wire: exchange.Wire
  readonly vault: Vault
  readonly policy: RetryPolicy.RetryPolicy
  readonly budget: Budget
  /** Limits how many requests are under way at once. */
  readonly semaphore: Semaphore
  /** For one attempt. */
  readonly timeout: Duration.Duration
  /** For all of them, and the waits between. */
  readonly totalTimeout: Duration.Duration
}

/** How far a request has come: what is left of its time, and of what was tried. */
interface Progress {
  readonly left: Duration.Duration
  readonly retries: number
  readonly renewed: boolean
  readonly tried: ReadonlyArray<Held>
  readonly before: string | undefined
  readonly repeated: boolean
}

const retryAfter = (error: RequestError) => ("retryAfter" in error ? error.retryAfter : Option.none())

/** Whether the service looked at the request: then it is well enough to be asked again. */
const isAnswer = (error: RequestError) => "status" in error && error.status < 500 && error.status !== 429

/** Whether a request that failed so may have been carried out. */
const isDoubtful = (error: RequestError): boolean => {
  if (error._tag === "TransportError") return !connection.isUnreached(error.code)
  return error._tag === "TimeoutError" || ("status" in error && error.status >= 500)
}

/** What an error says, without what an earlier one said. */
const withoutBefore = (error: RequestError): string =>
  error._tag === "TimeoutError" ? new TimeoutError({ ...error, before: undefined }).message : error.message

/** Sends the request until it is answered, or until there is no use in going on. */
export const send = (
  { budget, policy, semaphore, timeout, totalTimeout, vault, wire }: Rules,
  asked: Request<unknown>,
  url: string,
): Effect.Effect<exchange.Answer, RequestError> => {
  const { method, operation, repeatable = method === "GET" } = asked
  let sent = 0
  const resend = () => sent++

  const call = { service: wire.service, operation }
  const refuse = (failure: Failure) => new CredentialError({ ...failure, ...call })

  /** One attempt, in its turn; how long it took, and with which credential. */
  const attempt = ({ before, left, repeated, tried }: Progress) => {
    const [scope, after, limit] = Duration.lessThan(left, timeout)
      ? (["total", totalTimeout, left] as const)
      : (["attempt", timeout, timeout] as const)
    const late = () => new TimeoutError({ ...call, origin: new URL(url).origin, scope, after, before })
    return Effect.gen(function* () {
      // Before the turn, so that no turn passes meanwhile, and after it, as the credential may expire while the request waits.
      yield* Effect.mapError(vault.prepare, refuse)
      yield* wire.turn
      const held = yield* Effect.mapError(vault.get, refuse)
      const used = [...new Set([...tried, ...Option.toArray(held)])]
      const hidden = used.flatMap((one) => secrets(Option.some(one)))
      const { came, took } = yield* exchange.send(wire, asked, {
        url,
        held,
        secrets: hidden,
        limit,
        late,
        resend,
        repeated,
      })
      return { came, took, held, used }
    }).pipe(semaphore)
  }

  /** How long to wait before the request is sent again after an error; `None` when it is not. */
  const wait = (error: RequestError, { left, retries }: Progress): Effect.Effect<Option.Option<Duration.Duration>> =>
    // What was refused for its number was not looked at, so that it may be repeated whatever it is.
    RetryPolicy.isRetryable(error) && (repeatable || error._tag === "RateLimited")
      ? Effect.gen(function* () {
          const random = yield* Random.next
          const delay = RetryPolicy.delay(policy, { retry: retries + 1, retryAfter: retryAfter(error), random })
          // A wait that ends too late tells nothing that the error does not tell now.
          const inTime = Option.filter(delay, Duration.lessThan(left))
          return Option.isSome(inTime) && (yield* budget.take) ? inTime : Option.none()
        })
      : Effect.succeedNone

  const from = (progress: Progress): Effect.Effect<exchange.Answer, RequestError> =>
    Effect.gen(function* () {
      const { came, held, took, used } = yield* attempt(progress)
      if (came._tag === "Right" || isAnswer(came.left)) yield* budget.answered
      if (came._tag === "Right") return came.right
      const error = came.left
      const next = {
        ...progress,
        left: Duration.subtract(progress.left, took),
        tried: used,
        before: withoutBefore(error),
        repeated: progress.repeated || isDoubtful(error),
      }
      if (error._tag === "Unauthorized" && !progress.renewed && (yield* vault.renew(held)))
        return yield* from({ ...next, renewed: true })
      const pause = yield* wait(error, next)
      if (Option.isNone(pause)) return yield* error
      yield* Effect.logDebug(`${error.message} Sent again in ${Duration.format(pause.value)}.`)
      yield* Effect.sleep(pause.value)
      return yield* from({ ...next, left: Duration.subtract(next.left, pause.value), retries: next.retries + 1 })
    })

  return from({ left: totalTimeout, retries: 0, renewed: false, tried: [], before: undefined, repeated: false })
}
