/** Lists with more entries than a function call can take as arguments. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "./run.js"
import { service } from "./service.js"

const count = 200_000

const page = JSON.stringify({ value: Array.from({ length: count }, (_, index) => ({ id: `/events/${index}` })) })

describe("a page of 200,000 events", () => {
  it.live("is printed as a table", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: page })
      const { code, data } = yield* run(`events list -s x --base-url ${url}`)
      expect(code).toBe(0)
      expect(data.length).toBeGreaterThan(count)
    }),
  )
})
