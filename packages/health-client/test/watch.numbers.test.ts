/** Numbers that JSON cannot represent. */
import { describe, expect, it } from "@effect/vitest"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Credential, HealthClient, Watch } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { event, memory, now, once, subscription, changesOf } from "./watched.js"
import { withClient } from "./collect.js"

/** A watch of one event with this number and title. */
const begin = (number: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const sent = { number, title: "Slow" }
    const page = () =>
      JSON.stringify({ value: [event("a", now, { title: sent.title, extra: [{ number: "#" }] })] }).replace(
        `"#"`,
        sent.number,
      )
    const client = yield* HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none }).pipe(
      Effect.provideService(
        HttpClient.HttpClient,
        HttpClient.make((request) => Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(page())))),
      ),
    )
    const { store } = yield* memory
    return { sent, poll: changesOf(Watch.watch(subscription, { store, ...once }).pipe(withClient(client))) }
  })

describe("a number in an event", () => {
  it.effect.each(["-0", "-0.0", "1e400", "-1e400", "-1e-400"])(
    "that is %s causes no update after a restart",
    (number) =>
      Effect.gen(function* () {
        const { poll } = yield* begin(number)
        expect(yield* poll).toEqual(["Appeared a"])
        expect(yield* poll).toEqual([])
        expect(yield* poll).toEqual([])
      }),
  )

  it.effect("that is -0 does not hide another update", () =>
    Effect.gen(function* () {
      const { poll, sent } = yield* begin("-0")
      yield* poll
      sent.title = "Slower"
      expect(yield* poll).toEqual(["Updated a"])
      sent.number = "1"
      expect(yield* poll).toEqual(["Updated a"])
      expect(yield* poll).toEqual([])
    }),
  )
})
