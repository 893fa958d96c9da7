/** The field `retryable` of every error of the client. */
import { describe, expect, it } from "@effect/vitest"
import {
  CheckpointMismatch,
  Credential,
  HealthClient,
  InvalidEvent,
  InvalidResource,
  type Listing,
  OAuthImplicitError,
  RetryPolicy,
  SubscriptionId,
  Watch,
} from "@vigil/health-client"
import { TestHttpClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { collect, withClient } from "./collect.js"

const id = SubscriptionId.make("s1")

/** A client without retries, for a service that responds to the first `times` requests with `status`. */
const failing = (times: number, status: number) => {
  const requests = { sent: 0 }
  const http = TestHttpClient.layer(() =>
    ++requests.sent <= times ? { status } : { json: { value: [{ name: "A" }] } },
  )
  const options = { baseUrl: "https://health.test", credential: Credential.none, retry: RetryPolicy.none }
  return { requests, layer: Layer.provide(HealthClient.layer(options), http) }
}

describe("errors", () => {
  it.effect("of a list are retryable after a 503", () => {
    const { layer, requests } = failing(2, 503)
    return Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const events = yield* collect(client.listBySubscription(id)).pipe(
        Effect.retry({ while: ({ retryable }) => retryable, times: 3 }),
      )
      expect(events).toEqual([{ name: "A" }])
      expect(requests.sent).toBe(3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a list are not retryable after a 403, and have the service name", () => {
    const { layer, requests } = failing(2, 403)
    return Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const list = collect(client.listBySubscription(id))
      const error = yield* Effect.flip(Effect.retry(list, { while: ({ retryable }) => retryable, times: 3 }))
      expect(error).toMatchObject({ _tag: "Forbidden", service: "health", retryable: false })
      expect(requests.sent).toBe(1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a watch are retryable after a 503", () => {
    const { layer, requests } = failing(1, 503)
    return Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const again = Schedule.recurWhile(({ retryable }: Watch.WatchError) => retryable)
      const changes = Watch.watch(id, { schedule: Schedule.stop })
        .pipe(withClient(client))
        .pipe(Stream.retry(again), Stream.runCollect)
      expect(Array.from(yield* changes, ({ _tag }) => _tag)).toEqual(["Appeared"])
      expect(requests.sent).toBe(2)
    }).pipe(Effect.provide(layer))
  })

  const call = { operation: "Thing.get" }
  const entry = { index: 0, path: "", reason: "is wrong", raw: 7 }

  it.each([
    new InvalidEvent.InvalidEvent({ ...call, ...entry }),
    new InvalidResource.InvalidResource({ ...call, ...entry }),
    new CheckpointMismatch.CheckpointMismatch({ ...call, field: "id", expected: "a", actual: "b" }),
  ])("with the tag $_tag are not retryable, and have the service name", (error) => {
    expect(error).toMatchObject({ service: "health", retryable: false })
  })

  it.each([
    new OAuthImplicitError.InvalidRequest({ option: "state", reason: "empty" }),
    new OAuthImplicitError.StateMismatch({ reason: "missing" }),
    new OAuthImplicitError.AuthorizationRefused({ code: "access_denied", description: undefined }),
    new OAuthImplicitError.InvalidResponse({ reason: "missing" }),
  ])("with the tag $_tag are not retryable", ({ retryable }) => {
    expect(retryable).toBe(false)
  })

  it("with the tag InvalidResource have the invalid path in their message", () => {
    const messageOf = (path: string) => new InvalidResource.InvalidResource({ ...call, ...entry, path }).message
    expect(messageOf("")).toContain("is not an impacted resource: it is wrong")
    expect(messageOf("name")).toContain("is not an impacted resource: name is wrong")
  })

  it("of a list have a service name and an operation, and are retryable or not", () => {
    const fieldsOf = (error: Exclude<Listing.ListError, { readonly _tag: "PageLoop" | "PageLimit" }>) =>
      [error.service, error.operation, error.retryable] as const
    expect(fieldsOf).toBeTypeOf("function")
  })
})
