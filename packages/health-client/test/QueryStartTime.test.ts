import { expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import { Credential, HealthClient, type Listing, QueryStartTime, SubscriptionId } from "@vigil/health-client"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { expectTypeOf } from "vitest"
import { collect } from "./collect.js"

it.effect.each<readonly [QueryStartTime.QueryStartTime | undefined, sent: string | null]>([
  [undefined, null],
  ["30 days", "1/31/2024"],
  [Duration.days(1), "2/29/2024"],
  [Duration.infinity, "1/1/1970"],
  [DateTime.unsafeMake("2024-01-31T23:59:59Z"), "1/31/2024"],
  [DateTime.unsafeMakeZoned("2024-01-31T23:00:00Z", { timeZone: "Asia/Tokyo" }), "1/31/2024"],
  [QueryStartTime.raw("yesterday & more"), "yesterday & more"],
])("sends the start %s as %j", ([queryStartTime, expected]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2024, 2, 1))
    const sent: Array<string | null> = []
    const service = TestHttpClient.layer(({ url }) => {
      sent.push(url.searchParams.get("queryStartTime"))
      return { json: { value: [] } }
    })
    yield* HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none }).pipe(
      Effect.flatMap((client) => collect(client.listBySubscription(SubscriptionId.make("s1"), { queryStartTime }))),
      Effect.provide(service),
      Effect.scoped,
    )
    expect(sent).toEqual([expected])
  }),
)

it("accepts no text that is not a duration", () => {
  expectTypeOf<"30 dogs">().not.toExtend<Listing.SubscriptionQuery["queryStartTime"]>()
  expectTypeOf<"2026-03-10">().not.toExtend<Listing.SubscriptionQuery["queryStartTime"]>()
})
