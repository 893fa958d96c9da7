import { inspect } from "node:util"
import { expect, it } from "@effect/vitest"
import { Decoder, OAuthImplicit, ServiceClient, TestHttpClient } from "@vigil/core-http"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"

/** A request with a token that is valid for an hour, a service with this status, and the received tokens. */
const start = (status: number) =>
  Effect.gen(function* () {
    const sent: Array<string | undefined> = []
    const service = yield* ServiceClient.make({
      service: "thing",
      baseUrl: "https://service.example",
      credential: OAuthImplicit.credential({
        accessToken: Redacted.make("canary-51ab"),
        expiresAt: Option.some(DateTime.makeUnsafe(3_600_000)),
      }),
    }).pipe(
      Effect.provide(
        TestHttpClient.layer(({ headers }) => {
          sent.push(headers["authorization"])
          return { status, json: {} }
        }),
      ),
    )
    return { get: service.get({ operation: "Thing.get", url: service.url("/thing"), decode: Decoder.ignore }), sent }
  })

it.effect("a token is sent until it expires, then requests fail", () =>
  Effect.gen(function* () {
    const { get, sent } = yield* start(200)
    yield* get
    yield* TestClock.setTime(3_599_999)
    yield* get
    yield* TestClock.setTime(3_600_000)
    const error = yield* Effect.flip(get)
    expect(error).toMatchObject({ reason: { _tag: "Credential", problem: "unavailable" }, retryable: false })
    expect(inspect(error)).not.toContain("canary")
    expect(sent).toEqual(["Bearer canary-51ab", "Bearer canary-51ab"])
  }),
)

it.effect("a 401 is not retried, because another token does not exist", () =>
  Effect.gen(function* () {
    const { get, sent } = yield* start(401)
    expect(yield* Effect.flip(get)).toMatchObject({ reason: { _tag: "Unauthorized" } })
    expect(sent).toHaveLength(1)
  }),
)

it("the example prints the sign-in URL and the expiry", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../../examples/sign-in.js")
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^Sign in at https:\/\/sign-in\.example\/common\/oauth2\/authorize\?response_type=token&/)],
    [expect.stringMatching(/^Signed in until \d{4}-\d\d-\d\dT/)],
  ])
})
