/** Which failures end a command that polls. */
import { Transport } from "@vigil/core-http/Reason"
import { describe, expect, it } from "vitest"
import * as Polling from "../src/event/Polling.js"
import { errorResponse, failedRequest } from "./errorResponse.js"

describe("a failed poll", () => {
  it.each([
    [400, true],
    [404, true],
    [408, false],
    [429, false],
    [503, false],
  ])("with the status %i is lasting: %s", (status, isLasting) => {
    const error = errorResponse(status)
    expect([Polling.isLasting(error, false), Polling.isLasting(error, true)]).toEqual([isLasting, isLasting])
  })

  it("without a response is temporary", () => {
    const error = failedRequest(new Transport({ origin: "https://x.example", code: "ECONNREFUSED" }))
    expect(Polling.isLasting(error, false)).toBe(false)
  })
})
