/** A fetched access token, and the credential that fetches one when it is needed. */
import type * as Credential from "@vigil/core-http/Credential"
import * as OAuthClientCredentials from "@vigil/core-http/OAuthClientCredentials"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** The lifetime counts from now. */
export interface FetchedToken {
  readonly token: Redacted.Redacted
  readonly lifetime: Option.Option<Duration.Duration>
}

const endOfTime = Date.UTC(10_000, 0)

/** When the token expires, to the second. `None` if that is unknown or after the year 9999. */
export const expiry = ({ lifetime }: FetchedToken): Effect.Effect<Option.Option<DateTime.Utc>> =>
  Effect.map(DateTime.now, (now) =>
    lifetime.pipe(
      Option.map((left) => Math.round((DateTime.toEpochMillis(now) + Duration.toMillis(left)) / 1000) * 1000),
      Option.filter((millis) => millis < endOfTime),
      Option.flatMap(DateTime.make),
    ),
  )

/** The message of the error is part of that of the `CredentialError`. */
export const credential = (fetch: Effect.Effect<FetchedToken, Error>): Credential.Header => ({
  _tag: "Header",
  name: "authorization",
  renewable: true,
  timeToLive: Duration.infinity,
  value: Effect.mapBoth(fetch, {
    onFailure: (cause): Credential.Failure => ({ reason: "unavailable", cause }),
    onSuccess: ({ lifetime, token }): Credential.FetchedSecret => ({
      secret: Redacted.make(`Bearer ${Redacted.value(token)}`),
      timeToLive: Option.getOrUndefined(Option.map(lifetime, OAuthClientCredentials.timeToLive)),
    }),
  }),
})
