/** Every error of the client is retryable or not. */
import { describe, expect, it } from "@effect/vitest"
import {
  CheckpointMismatch,
  Credential,
  HealthClient,
  InvalidEvent,
  InvalidQuery,
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

/** A client without retries, and a service that fails this often with this status. */
const failing = (times: number, status: number) => {
  const requests = { sent: 0 }
  const http = TestHttpClient.layer(() =>
    ++requests.sent <= times ? { status } : { json: { value: [{ name: "A" }] } },
  )
  const options = { baseUrl: "https://health.test", credential: Credential.none, retry: RetryPolicy.none }
  return { requests, layer: Layer.provide(HealthClient.layer(options), http) }
}

describe("retryable", () => {
  it.effect("retries a list after a 503 with Effect.retry", () => {
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

  it.effect("does not retry a list after a 403, whose error has the service name", () => {
    const { layer, requests } = failing(2, 403)
    return Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const list = collect(client.listBySubscription(id))
      const error = yield* Effect.flip(Effect.retry(list, { while: ({ retryable }) => retryable, times: 3 }))
      expect(error).toMatchObject({ _tag: "Forbidden", service: "health", retryable: false })
      expect(requests.sent).toBe(1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("retries a watch after a 503", () => {
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
    new InvalidQuery.InvalidQuery({ ...call, parameter: "queryStartTime", value: "x" }),
    new CheckpointMismatch.CheckpointMismatch({ ...call, field: "id", expected: "a", actual: "b" }),
  ])("is false for $_tag, which has the service name", (error) => {
    expect(error).toMatchObject({ service: "health", retryable: false })
  })

  it.each([
    new OAuthImplicitError.InvalidRequest({ option: "state", reason: "empty" }),
    new OAuthImplicitError.StateMismatch({ reason: "missing" }),
    new OAuthImplicitError.AuthorizationRefused({ code: "access_denied", description: undefined }),
    new OAuthImplicitError.InvalidResponse({ reason: "missing" }),
  ])("is false for $_tag", ({ retryable }) => {
    expect(retryable).toBe(false)
  })

  it("is false for an entry that is not a resource, named by its path", () => {
    const messageOf = (path: string) => new InvalidResource.InvalidResource({ ...call, ...entry, path }).message
    expect(messageOf("")).toContain("is not an impacted resource: it is wrong")
    expect(messageOf("name")).toContain("is not an impacted resource: name is wrong")
  })

  it("accepts every error of a list, with its service name", () => {
    const facts = (error: Exclude<Listing.ListError, { readonly _tag: "PageLoop" | "PageLimit" }>) =>
      [error.service, error.operation, error.retryable] as const
    expect(facts).toBeTypeOf("function")
  })
})
