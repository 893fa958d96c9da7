/** Lists with more entries than a function call can take as arguments. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Severity from "../src/events/Severity.js"
import { run } from "./run.js"
import { service } from "./service.js"

const count = 200_000

const page = JSON.stringify({ value: Array.from({ length: count }, (_, index) => ({ id: `/events/${index}` })) })

describe("a page of 200,000 events", () => {
  it.scopedLive("is printed as a table", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: page })
      const { code, data } = yield* run(`events list -s x --base-url ${url}`)
      expect(code).toBe(0)
      expect(data.length).toBeGreaterThan(count)
    }),
  )

  it.scopedLive("is read for a timeline", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: page })
      const { code, notes } = yield* run(`events timeline -s x --base-url ${url}`)
      expect({ code, notes }).toEqual({ code: 0, notes: [expect.stringMatching(`^${count} events`)] })
    }),
  )
})

describe("the worst of 200,000 levels", () => {
  it("is found", () => {
    const levels = Array.from({ length: count }, () => "Warning" as const)
    expect(Severity.worst([...levels, "Error"])).toBe("Error")
  })
})
