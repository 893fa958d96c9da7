/** Keeps a client's credential: had once, shared by all requests, and had again by one of them when it is refused. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type { Credential } from "../Credential.js"
import type { CredentialError } from "../HttpError.js"

/** A header as it is sent. */
export interface Held {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly since: number
}

/**
 * `get` is the header to send, `None` when there is none. `renew` forgets it, unless somebody did so already; it says
 * whether another one can be had.
 */
export interface Vault {
  readonly get: Effect.Effect<Option.Option<Held>, CredentialError>
  readonly renew: (held: Option.Option<Held>) => Effect.Effect<boolean>
}

/** What must not be seen in what comes back, in the clear: the header, and the token in it. */
export const secrets = (held: Option.Option<Held>): ReadonlyArray<string> =>
  Option.match(held, {
    onNone: () => [],
    onSome: ({ value }) => {
      const text = Redacted.value(value)
      return [text, text.replace(/^Bearer /, "")]
    },
  })

/** A vault for one client. */
export const make = (credential: Credential): Effect.Effect<Vault> =>
  Effect.gen(function* () {
    if (credential._tag === "None") return { get: Effect.succeedNone, renew: () => Effect.succeed(false) }
    const lock = yield* Effect.makeSemaphore(1)
    const kept = yield* Ref.make(Option.none<Held>())
    const lifetime = Duration.toMillis(credential.timeToLive)

    /** What is kept, if it is still good; a clock that was set back says nothing about that. */
    const fresh = Effect.zipWith(Ref.get(kept), Clock.currentTimeMillis, (held, now) =>
      Option.filter(held, ({ since }) => now >= since && now - since < lifetime),
    )

    const fetch = Effect.flatMap(credential.value, (value) =>
      Effect.flatMap(Clock.currentTimeMillis, (since) => {
        const held = Option.some({ name: credential.name, value, since })
        return Effect.as(Ref.set(kept, held), held)
      }),
    )

    const orFetch = (otherwise: Effect.Effect<Option.Option<Held>, CredentialError>) =>
      Effect.flatMap(fresh, (held) => (Option.isSome(held) ? Effect.succeed(held) : otherwise))

    return {
      // Whoever waited for the lock finds what the one before it has put there.
      get: orFetch(lock.withPermits(1)(orFetch(fetch))),
      renew: (held) =>
        Effect.as(
          Ref.update(kept, (now) => (Option.getOrUndefined(now) === Option.getOrUndefined(held) ? Option.none() : now)),
          credential.renewable,
        ),
    }
  })
