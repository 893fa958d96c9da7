/** The default version stays. When a later one becomes the default, stored watches continue, and requests name it. */
import { describe, expect, it } from "@effect/vitest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { a, b, begin, event, now } from "./watched.js"

const table = "../../health-schema/src/internal/versions.ts"

afterEach(() => {
  vi.doUnmock(table)
  vi.resetModules()
})

/** Loads the modules again, with another default version. */
const pretend = (defaultVersion: ApiVersion.Known) =>
  Effect.promise(async () => {
    vi.doMock(table, async (load) => ({ ...(await load<object>()), defaultVersion }))
    vi.resetModules()
    return await import("./watched.js")
  })

it("is the version of requests that name none, and not the newest", () => {
  expect(ApiVersion.defaultVersion).toBe("2025-05-01")
  expect(ApiVersion.all.indexOf(ApiVersion.defaultVersion)).toBeGreaterThan(0)
})

describe.each(ApiVersion.all)("as the default, version %s", (version) => {
  it.effect("is requested, and continues the watch of the default of today", () =>
    Effect.gen(function* () {
      const today = yield* begin(a, b)
      expect(yield* today.poll).toEqual(["Appeared a", "Appeared b"])
      const next = yield* (yield* pretend(version)).begin(a, event("b", now, { status: "Resolved" }))
      for (const [key, text] of today.values) next.values.set(key, text)
      expect(yield* next.poll).toEqual(["Resolved b"])
      expect(next.list.requests.map((url) => url.searchParams.get("api-version"))).toEqual([version])
    }),
  )
})
