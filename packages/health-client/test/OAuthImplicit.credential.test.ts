import { inspect } from "node:util"
import { HttpClient, HttpClientResponse } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { HealthClient, OAuthImplicit, SubscriptionId } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const grant = (expiresAt: Option.Option<DateTime.Utc>): OAuthImplicit.Grant => ({
  accessToken: Redacted.make("canary-51ab"),
  scope: Option.none(),
  expiresAt,
})

/** A client with the credential, a service that returns an empty page or an error, and the received tokens. */
const start = (granted: OAuthImplicit.Grant, status = 200) =>
  Effect.gen(function* () {
    const sent: Array<string | undefined> = []
    const http = HttpClient.make((request) => {
      sent.push(request.headers["authorization"])
      return Effect.succeed(
        HttpClientResponse.fromWeb(request, new Response(status === 200 ? `{"value":[]}` : "{}", { status })),
      )
    })
    const credential = OAuthImplicit.credential(granted)
    const client = yield* HealthClient.make({ baseUrl: "https://service.example", credential }).pipe(
      Effect.provideService(HttpClient.HttpClient, http),
    )
    return { list: Stream.runDrain(client.listBySubscription(SubscriptionId.make("s1"))), sent }
  })

describe("OAuthImplicit.credential", () => {
  it.effect("sends the token until it expires, then fails", () =>
    Effect.gen(function* () {
      const { list, sent } = yield* start(grant(Option.some(DateTime.makeUnsafe(3_600_000))))
      yield* list
      yield* TestClock.setTime(3_599_999)
      yield* list
      expect(sent).toEqual(["Bearer canary-51ab", "Bearer canary-51ab"])
      yield* TestClock.setTime(3_600_000)
      const error = yield* Effect.flip(list)
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
      expect(error.message).toContain("Sign in again")
      expect(inspect(error)).not.toContain("canary")
      yield* TestClock.adjust("365 days")
      yield* Effect.flip(list)
      expect(sent).toHaveLength(2)
    }),
  )

  it.effect("does not retry a 401, because another token does not exist", () =>
    Effect.gen(function* () {
      const { list, sent } = yield* start(grant(Option.some(DateTime.makeUnsafe(3_600_000))), 401)
      expect(yield* Effect.flip(list)).toMatchObject({ _tag: "Unauthorized" })
      expect(sent).toHaveLength(1)
    }),
  )
})
