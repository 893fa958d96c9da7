/** The field `retryable` of every error of the client. */
import { describe, expect, it } from "@effect/vitest"
import { CheckpointMismatch, InvalidEvent, InvalidResource, OAuthImplicitError } from "@vigil/health-client"

describe("errors", () => {
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
