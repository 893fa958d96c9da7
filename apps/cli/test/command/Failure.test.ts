import { Transport } from "@vigil/core-http/Reason"
import * as Cause from "effect/Cause"
import { describe, expect, it } from "vitest"
import * as Failure from "../../src/command/Failure.js"
import { UsageError } from "../../src/flags/UsageError.js"
import { errorResponse, failedRequest } from "../support/errorResponse.js"

const sentence = (failure: Failure.Failure) => Failure.report(Cause.fail(failure)).sentence

describe("the sentence of a failure", () => {
  it("is the message of the error", () => {
    const message = "Vigil.config: the file is empty. Give onInvalid a value."
    expect(sentence(new UsageError(message))).toBe(message)
  })

  it("leaves out the name of the operation only", () => {
    const origin = "https://Some.where: x"
    const error = failedRequest(new Transport({ origin }), "A (b).c")
    expect(sentence(error)).toBe(
      "The health service at https://Some.where: x sent no complete response: the connection failed. Check the URL and the network.",
    )
  })
})

describe("the exit code of an error response", () => {
  it.each([
    [400, 8],
    [408, 6],
    [500, 6],
  ])("with status %i is %i", (status, exitCode) => {
    expect(Failure.report(Cause.fail(errorResponse(status))).exitCode).toBe(exitCode)
  })
})
