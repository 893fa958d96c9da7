/** All attempts at one request: each timed and traced, repeated as the policy says, and once more with a new credential. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { TimeoutError } from "../HttpError.js"
import type { Request } from "../Request.js"
import type { RequestError } from "../RequestError.js"
import * as RetryPolicy from "../RetryPolicy.js"
import type { Budget } from "./budget.js"
import * as exchange from "./exchange.js"
import * as telemetry from "./telemetry.js"
import type { Held, Vault } from "./vault.js"

/** What all requests of a client share. */
export interface Rules {
  readonly wire: exchange.Wire
  readonly vault: Vault
  readonly policy: RetryPolicy.RetryPolicy
  readonly budget: Budget
  /** For one attempt. */
  readonly timeout: Duration.Duration
  /** For all of them. */
  readonly totalTimeout: Duration.Duration
  /** Waits until another request may leave. */
  readonly turn: Effect.Effect<void>
}

const retryAfter = (error: RequestError) => ("retryAfter" in error ? error.retryAfter : Option.none())

/** Whether the service looked at the request: then it is well enough to be asked again. */
const isAnswer = (error: RequestError) => "status" in error && error.status < 500

/** Sends the request until it is answered, or until there is no use in going on. */
export const send = (
  { budget, policy, timeout, totalTimeout, turn, vault, wire }: Rules,
  asked: Request<unknown>,
  url: string,
): Effect.Effect<exchange.Answer, RequestError> => {
  const { method, operation, repeatable = method === "GET" } = asked
  const late = (scope: TimeoutError["scope"], after: Duration.Duration) => ({
    duration: after,
    onTimeout: () => new TimeoutError({ operation, origin: new URL(url).origin, scope, after }),
  })

  /** How long to wait before the request is sent again after an error; `None` when it is not. */
  const wait = (error: RequestError, retry: number, started: number): Effect.Effect<Option.Option<Duration.Duration>> =>
    // What was refused for its number was not looked at, so that it may be repeated whatever it is.
    RetryPolicy.isRetryable(error) && (repeatable || error._tag === "RateLimited")
      ? Effect.gen(function* () {
          const random = yield* Random.next
          const delay = RetryPolicy.delay(policy, { retry, retryAfter: retryAfter(error), random })
          const left = started + Duration.toMillis(totalTimeout) - (yield* Clock.currentTimeMillis)
          // A wait that ends too late tells nothing that the error does not tell now.
          const inTime = Option.filter(delay, (pause) => Duration.toMillis(pause) < left)
          return Option.isSome(inTime) && (yield* budget.take) ? inTime : Option.none()
        })
      : Effect.succeedNone

  /** One attempt. `held` is told as soon as it is known, for the error does not tell it. */
  const once = (resend: number, told: (held: Option.Option<Held>) => void) =>
    telemetry.attempt(
      Effect.flatMap(vault.get, (held) => {
        told(held)
        return exchange.send(wire, asked, url, held)
      }).pipe(Effect.timeoutFail(late("attempt", timeout))),
      { method, url, resend },
    )

  const from = (
    started: number,
    { renewed, retries, sent }: { readonly sent: number; readonly retries: number; readonly renewed: boolean },
  ): Effect.Effect<exchange.Answer, RequestError> =>
    Effect.suspend(() => {
      let used = Option.none<Held>()
      return once(sent, (held) => {
        used = held
      }).pipe(
        Effect.tapBoth({
          onSuccess: () => budget.answered,
          onFailure: (error) => (isAnswer(error) ? budget.answered : Effect.void),
        }),
        Effect.catchAll((error) =>
          Effect.gen(function* () {
            if (error._tag === "Unauthorized" && !renewed && (yield* vault.renew(used)))
              return yield* from(started, { sent: sent + 1, retries, renewed: true })
            const pause = yield* wait(error, retries + 1, started)
            if (Option.isNone(pause)) return yield* error
            yield* Effect.logDebug(`${error.message} Sent again in ${Duration.format(pause.value)}.`)
            yield* Effect.sleep(pause.value)
            yield* turn
            return yield* from(started, { sent: sent + 1, retries: retries + 1, renewed })
          }),
        ),
      )
    })

  return Effect.flatMap(Clock.currentTimeMillis, (started) =>
    from(started, { sent: 0, retries: 0, renewed: false }),
  ).pipe(Effect.timeoutFail(late("total", totalTimeout)))
}
