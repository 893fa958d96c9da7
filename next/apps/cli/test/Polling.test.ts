/** Which failures end a command that polls. */
import { TransportError } from "@vigil/core-http/HttpError"
import * as ServiceError from "@vigil/core-http/ServiceError"
import { describe, expect, it } from "vitest"
import * as Polling from "../src/events/Polling.js"
import { errorResponse } from "./errorResponse.js"

const call = { service: "health", operation: "A.b" }

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
})
