/** What the refusal of one list does to others, over sockets. */
import { describe, expect, it } from "@effect/vitest"
import {
  AvailabilityClient,
  Connection,
  Credential,
  HealthClient,
  PublicInfo,
  Retry,
  Scope,
  SubscriptionId,
  TrackingId,
} from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { s1 } from "./served.js"

const s2 = SubscriptionId.make("s2")

/** The lists of a service that refuses those whose URL has this text. */
const listsOf = (refused: RegExp, status: number, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(({ target }) =>
      refused.test(target) ? Reply.empty(status, { "retry-after": "3600", ...headers }) : Reply.page([]),
    )
    const options = { baseUrl: server.origin, credential: Credential.none, retry: Retry.none }
    const connection = yield* Connection.make(options)
    const [health, availability] = [HealthClient.make(connection), AvailabilityClient.make(connection)]
    const all = Effect.all(
      [s1, s2].flatMap((id) => [
        Stream.runDrain(health.listBySubscription(id)),
        Stream.runDrain(availability.list(Scope.subscription(id))),
      ]),
      { concurrency: "unbounded", discard: true },
    )
    const metadata = Effect.provideService(
      Stream.runDrain(PublicInfo.pagesOfMetadata()),
      HealthClient.HealthClient,
      health,
    )
    const impacted = (id: SubscriptionId.SubscriptionId, event: number) =>
      Effect.result(Stream.runDrain(health.pagesOfImpactedResources(id, TrackingId.make(`E${event}`))))
    const events = Array.from({ length: 40 }, (_, index) => index)
    return { all: Effect.andThen(all, metadata), events, impacted, server }
  })

const messageOf = (result: Result.Result<void, Error> | undefined) =>
  result !== undefined && Result.isFailure(result) ? result.failure.message : "succeeded"

describe.each(layers)("over %s", (_, layer) => {
  describe.each([429, 503])("a list that is refused for an hour with %d", (status) => {
    it.live("stops those of its kind and subscription, which say so, and no other", () =>
      Effect.gen(function* () {
        const { all, events, impacted, server } = yield* listsOf(/s1.*impactedResources/, status)
        const each = Effect.forEach(events, (event) => impacted(s1, event), { concurrency: 8 })
        const [refused] = yield* Effect.all([each, all], { concurrency: 2 })
        yield* all
        expect(refused.every(Result.isFailure)).toBe(true)
        expect(messageOf(refused.at(-1))).toContain("not sent, because earlier requests got this response")
        expect(messageOf(yield* impacted(s2, 1))).toBe("succeeded")
        const sent = (yield* server.requests).filter(({ target }) =>
          target.includes("s1/providers/Vendor.ResourceHealth/events/E"),
        )
        // Three in a row, and those that were sent before the third response.
        expect(sent.length).toBeLessThanOrEqual(10)
      }).pipe(Effect.provide(layer)),
    )

    it.live("stops all lists if the service says that the tenant has no requests left", () =>
      Effect.gen(function* () {
        const left = { "x-ms-ratelimit-remaining-tenant-reads": "0" }
        const { all, impacted, server } = yield* listsOf(/impactedResources/, status, left)
        yield* impacted(s1, 1)
        expect(messageOf(yield* Effect.result(all))).toContain("not sent, because earlier requests got this response")
        expect(yield* server.requests).toHaveLength(1)
      }).pipe(Effect.provide(layer)),
    )

    it.live("stops all lists after those of 16 subscriptions in a row", () =>
      Effect.gen(function* () {
        const { all, events, impacted, server } = yield* listsOf(/./, status)
        yield* Effect.forEach(events, (event) => impacted(SubscriptionId.make(`s${event}`), event))
        expect(messageOf(yield* Effect.result(all))).toContain("not sent, because earlier requests got this response")
        expect(yield* server.requests).toHaveLength(16)
      }).pipe(Effect.provide(layer)),
    )
  })
})
