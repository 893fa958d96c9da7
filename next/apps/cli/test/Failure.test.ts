import { TransportError } from "@vigil/core-http/HttpError"
import * as ServiceError from "@vigil/core-http/ServiceError"
import * as Cause from "effect/Cause"
import { describe, expect, it } from "vitest"
import * as Failure from "../src/Failure.js"
import { errorResponse } from "./errorResponse.js"

const sentence = (failure: Failure.Failure) => Failure.report(Cause.fail(failure)).sentence

describe("the sentence of a failure", () => {
  it("is the message of the error", () => {
    const message = "Vigil.config: the file is empty. Give onInvalid a value."
    expect(sentence(new Failure.UsageError(message))).toBe(message)
  })

  it("leaves out the name of the operation only", () => {
    const origin = "https://Some.where: x"
    const error = new TransportError({ service: "health", operation: "A (b).c", origin, code: undefined })
    expect(sentence(error)).toBe(
      "No complete response from the health service at https://Some.where: x: the connection failed. Check the URL and the network.",
    )
  })
})

describe("the exit code of an error response", () => {
  it.each([
    [400, 8],
    [408, 6],
    [500, 6],
  ])("with status %i is %i", (status, exitCode) => {
    const error = ServiceError.fromResponse(errorResponse(status))
    expect(Failure.report(Cause.fail(error)).exitCode).toBe(exitCode)
  })
})
