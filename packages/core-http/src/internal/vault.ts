/** The cache of a client's credential: one fiber fetches it, all requests share it, and a 401 makes it fetch again. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Credential, Failure } from "../Credential.js"

/** A header as it is sent; `since` is on the clock that nobody sets, in nanoseconds. */
export interface Held {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly since: bigint
}

/** The credential as requests use it. */
export interface Vault {
  /** The header to send; `None` without a credential. */
  readonly get: Effect.Effect<Option.Option<Held>, Failure>
  /** Fetches the header before the request waits for its turn, unless each attempt needs its own. */
  readonly prepare: Effect.Effect<void, Failure>
  /** Removes this header from the cache, and returns whether another one can be fetched. */
  readonly renew: (held: Option.Option<Held>) => Effect.Effect<boolean>
}

/** What must not be seen in what comes back, in the clear: the header, and what follows its scheme. */
export const secrets = (held: Option.Option<Held>): ReadonlyArray<string> =>
  Option.match(held, {
    onNone: () => [],
    onSome: ({ value }) => {
      const text = Redacted.value(value)
      return [text, text.replace(/^\S+ +/, "")]
    },
  })

const none: Vault = {
  get: Effect.succeedNone,
  prepare: Effect.void,
  renew: () => Effect.succeed(false),
}

/** The cache of one client. Fetching may take `patience`, and ends with the scope. */
export const make = (credential: Credential, patience: Duration.Duration, scope: Scope.Scope): Vault => {
  if (credential._tag === "None") return none
  const { name, renewable, timeToLive, value } = credential
  const lifetime = Duration.toMillis(timeToLive) * 1e6
  let kept: Held | undefined
  let pending: Deferred.Deferred<Held, Failure> | undefined

  const fetch = value.pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: (): Failure => ({ reason: "late" }) }),
    Effect.flatMap((secret) => Effect.map(Clock.currentTimeNanos, (since): Held => ({ name, value: secret, since }))),
    Effect.tap((held) =>
      Effect.sync(() => {
        kept = held
      }),
    ),
    Effect.ensuring(
      Effect.sync(() => {
        pending = undefined
      }),
    ),
  )

  /** The cached header, or the fetch to wait for. Uninterruptible: the fetch must be forked once it is pending. */
  const find = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const age = kept === undefined ? -1 : Number(now - kept.since)
    if (kept !== undefined && age >= 0 && age < lifetime) return Effect.succeed(Effect.succeed(kept))
    if (pending !== undefined) return Effect.succeed(Deferred.await(pending))
    const waiting = Deferred.unsafeMake<Held, Failure>(FiberId.none)
    pending = waiting
    // In the scope of the client: the request that began it may be cancelled while others wait for it.
    const closed = Effect.catchAllCause(Effect.interruptible(fetch), (cause) =>
      Cause.isInterrupted(cause) ? Effect.fail<Failure>({ reason: "closed" }) : Effect.failCause(cause),
    )
    return Effect.as(Effect.forkIn(Effect.intoDeferred(closed, waiting), scope), Deferred.await(waiting))
  })
  const get = Effect.asSome(Effect.flatten(Effect.uninterruptible(find)))

  return {
    get,
    prepare: lifetime === 0 ? Effect.void : get,
    renew: (held) =>
      Effect.sync(() => {
        if (kept === Option.getOrUndefined(held)) kept = undefined
        return renewable
      }),
  }
}
