/** The field `retryable` of every error of the client. */
import { describe, expect, it } from "@effect/vitest"
import {
  CheckpointMismatch,
  Credential,
  HealthClient,
  InvalidEvent,
  InvalidResource,
  OAuthImplicitError,
  RetryPolicy,
  SubscriptionId,
} from "@vigil/health-client"
import { TestHttpClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { collect } from "./collect.js"

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
})
