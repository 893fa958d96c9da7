/** Keeps a client's credential: had once, shared by all requests, and had again by one fiber when it is refused. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Credential } from "../Credential.js"
import { CredentialError } from "../HttpError.js"

/** A header as it is sent; `since` is on the clock that nobody sets, in nanoseconds. */
export interface Held {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly since: bigint
}

/**
 * `get` is the header to send, `None` when there is none. `renew` forgets it, unless somebody did so already; it says
 * whether another one can be had.
 */
export interface Vault {
  readonly get: Effect.Effect<Option.Option<Held>, CredentialError>
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

/** A vault for one client. Whoever hands the credential out has `patience` to do it in. */
export const make = (credential: Credential, patience: Duration.Duration): Vault => {
  if (credential._tag === "None") return { get: Effect.succeedNone, renew: () => Effect.succeed(false) }
  const { name, renewable, timeToLive, value } = credential
  const lifetime = Duration.toMillis(timeToLive) * 1e6
  let kept: Held | undefined
  let coming: Deferred.Deferred<Held, CredentialError> | undefined

  const have = value.pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: () => new CredentialError({ reason: "late" }) }),
    Effect.flatMap((secret) => Effect.map(Clock.currentTimeNanos, (since): Held => ({ name, value: secret, since }))),
    Effect.tap((held) =>
      Effect.sync(() => {
        kept = held
      }),
    ),
    Effect.ensuring(
      Effect.sync(() => {
        coming = undefined
      }),
    ),
  )

  /** What is kept, or whoever is on the way to have another one. Nothing may come between the look and the departure. */
  const find = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const age = kept === undefined ? -1 : Number(now - kept.since)
    if (kept !== undefined && age >= 0 && age < lifetime) return Effect.succeed(Effect.succeed(kept))
    if (coming !== undefined) return Effect.succeed(Deferred.await(coming))
    const waiting = Deferred.unsafeMake<Held, CredentialError>(FiberId.none)
    coming = waiting
    // In a fiber that is nobody's own: who asked first may be gone before it is there, and others wait for it. Nor is it
    // as patient as who asked first may have to be.
    return Effect.as(
      Effect.forkDaemon(Effect.intoDeferred(Effect.interruptible(have), waiting)),
      Deferred.await(waiting),
    )
  })
  const get = Effect.asSome(Effect.flatten(Effect.uninterruptible(find)))

  return {
    get,
    renew: (held) =>
      Effect.sync(() => {
        if (kept === Option.getOrUndefined(held)) kept = undefined
        return renewable
      }),
  }
}
