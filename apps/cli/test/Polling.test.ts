/** Which failures end a command that polls. */
import { CredentialError, TransportError } from "@vigil/core-http/HttpError"
import { TokenRefused } from "@vigil/core-http/OAuthClientCredentials"
import * as ServiceError from "@vigil/core-http/ServiceError"
import { describe, expect, it } from "vitest"
import { TokenCommandError } from "../src/auth/TokenCommandError.js"
import * as Polling from "../src/events/Polling.js"
import { errorResponse } from "./errorResponse.js"

const call = { service: "health", operation: "A.b" }

const credential = (cause?: CredentialError["cause"]) => new CredentialError({ ...call, reason: "unavailable", cause })

const command = (reason: TokenCommandError["reason"]) =>
  credential(new TokenCommandError({ program: "az", from: "VIGIL_TOKEN_COMMAND", reason, problem: "it failed" }))

const refused = (status: number, retryable = false) =>
  credential(new TokenRefused({ ...errorResponse(status), retryable }))

describe("a failed poll", () => {
  it.each([
    [400, true],
    [404, true],
    [408, false],
    [429, false],
    [503, false],
  ])("with the status %i is lasting: %s", (status, isLasting) => {
    const error = ServiceError.fromResponse(errorResponse(status))
    expect([Polling.isLasting(error, false), Polling.isLasting(error, true)]).toEqual([isLasting, isLasting])
  })

  it("without a response is temporary", () => {
    const error = new TransportError({ ...call, origin: "https://x.example", code: "ECONNREFUSED" })
    expect(Polling.isLasting(error, false)).toBe(false)
  })

  it.each([
    ["without a cause", credential(), true, true],
    ["because of an unknown error", credential(new Error("x")), true, false],
    ["because the command was not found", command("notFound"), true, true],
    ["because the command printed no token", command("empty"), true, false],
    ["because the command failed", command("exit"), false, false],
    ["because the server responded with 400", refused(400), true, true],
    ["because the server responded with 429", refused(429, true), false, false],
    ["because the server responded with 500", refused(500), true, false],
  ])("without a token, %s, is lasting at the first poll or later", (_, error, first, later) => {
    expect([Polling.isLasting(error, false), Polling.isLasting(error, true)]).toEqual([first, later])
  })
})
