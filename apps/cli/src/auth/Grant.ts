/** A fetched access token, and the credential that fetches one when it is needed. */
import * as Credential from "@vigil/core-http/Credential"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"

export interface Grant {
  readonly token: Redacted.Redacted
  readonly expiresAt: Option.Option<DateTime.Utc>
}

const fiveMinutes = 300_000

/** In milliseconds: until five minutes before the expiry, or until a tenth of the time is left if that is less. */
const timeToLive = (expiresAt: DateTime.Utc): Effect.Effect<number> =>
  Effect.map(DateTime.now, (now) => {
    const left = Math.max(0, DateTime.distance(now, expiresAt))
    return left - Math.min(fiveMinutes, left / 10)
  })

/** The message of the error is part of that of the `CredentialError`. */
export const credential = (fetch: Effect.Effect<Grant, Error>): Credential.Header => ({
  ...Credential.bearer(Effect.never),
  value: Effect.matchEffect(fetch, {
    onFailure: (cause) => Effect.fail<Credential.Failure>({ reason: "unavailable", cause }),
    onSuccess: ({ expiresAt, token }) =>
      Effect.gen(function* () {
        const { secret } = yield* Credential.bearer(token).value
        return Option.isNone(expiresAt) ? { secret } : { secret, timeToLive: yield* timeToLive(expiresAt.value) }
      }),
  }),
})
