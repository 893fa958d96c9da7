/** Every error has the fields `service` and `retryable`. */
import { describe, expect, it } from "@effect/vitest"
import { AppManagement, type AppManagementError, RetryPolicy } from "@vigil/appmgmt-client"
import { TestHttpClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ada, shop } from "./harness.js"

/** A client without retries, and a service that fails once with this status. */
const failing = (status: number) => {
  const requests = { sent: 0 }
  const http = TestHttpClient.layer(() => (++requests.sent === 1 ? { status } : { status: 204 }))
  const apiToken = Redacted.make("t0")
  const options = { baseUrl: "https://apps.test", apiToken, retry: RetryPolicy.none }
  return { requests, layer: Layer.provide(AppManagement.layer(options), http) }
}

describe("retryable", () => {
  it.effect.each([
    [503, 2],
    [404, 1],
    [401, 1],
  ] as const)("controls retries: after a %i, a removal is sent %i times", ([status, sent]) => {
    const { layer, requests } = failing(status)
    return Effect.gen(function* () {
      const client = yield* AppManagement.AppManagement
      const removal = client.removeUser(shop, ada)
      yield* Effect.ignore(Effect.retry(removal, { while: ({ retryable }) => retryable, times: 3 }))
      expect(requests.sent).toBe(sent)
    }).pipe(Effect.provide(layer))
  })

  it("is a field of every error of a call, like the service and the operation", () => {
    const facts = (error: AppManagementError.CustomError | AppManagementError.RemoveUserError) =>
      [error.service, error.operation, error.retryable] as const
    expect(facts).toBeTypeOf("function")
  })
})
