/** Which failures end a command that polls, and what it notes. */
import { Transport } from "@vigil/core-http/Reason"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Polling from "../../src/watches/Polling.js"
import { errorResponse, failedRequest } from "../support/errorResponse.js"
import { collectNotes } from "../support/notes.js"

const makeList = () => {
  const { output, take } = collectNotes()
  return { take, ...Polling.outcomes({ output, every: Duration.minutes(1) }) }
}

type List = ReturnType<typeof makeList>

describe("a failed poll", () => {
  it.each([
    [400, true],
    [404, true],
    [408, false],
    [429, false],
    [503, false],
  ])("with the status %i is lasting: %s. It is not fatal after another poll, failed or not", (status, isExpected) => {
    const error = errorResponse(status)
    for (const pollOf of [({ fail }: List) => fail(errorResponse(503)), ({ succeed }: List) => succeed]) {
      const list = makeList()
      expect([list.isLasting(error), list.isFatal(error)]).toEqual([isExpected, isExpected])
      Effect.runSync(pollOf(list))
      expect([list.isLasting(error), list.isFatal(error)]).toEqual([isExpected, false])
    }
  })

  it("without a response is temporary", () => {
    const error = failedRequest(new Transport({ origin: "https://x.example", code: "ECONNREFUSED" }))
    expect(makeList().isLasting(error)).toBe(false)
  })
})

it("notes each invalid entry once, and no more than 1,000", () => {
  const { invalid, take } = makeList()
  const noteAll = (count: number) => {
    for (let path = 0; path < count; path++)
      Effect.runSync(invalid({ page: 1, index: 1, path: `${path}`, problem: "is invalid", raw: 7 }))
    return take().length
  }
  expect([noteAll(10), noteAll(2_000), noteAll(2_000)]).toEqual([10, 990, 0])
})
