import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { names, start } from "./service.js"

const zone = process.env["TZ"]

afterEach(() => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
})

describe("queryStartTime", () => {
  it.live("is an existing date, in both forms", () =>
    Effect.gen(function* () {
      const { json, list } = yield* start()
      const ask = (time: string) => json(list(`&queryStartTime=${time}`))
      for (const time of ["13/6/2025", "2/30/2025", "0/1/2025", "2025-02-30", "2025-13-06", "x1/15/2026", "1/15/2026x"])
        expect(yield* ask(time), time).toMatchObject({ status: 400, body: { code: "InvalidQueryStartTime" } })
      for (const time of ["2/29/2024", "2024-02-29", "02/29/2024", "2025-11-15T00:00:00.1234567Z"])
        expect(yield* ask(time), time).toMatchObject({ status: 200 })
    }),
  )

  it.live.each(["America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati"])(
    "without a zone is UTC on a server in %s",
    (zone) =>
      Effect.gen(function* () {
        process.env["TZ"] = zone
        const { events, list } = yield* start({ pageSize: 1_000 })
        const all = yield* events(list("&queryStartTime=2025-01-01"))
        for (const event of all.slice(0, 10)) {
          const text = String(event.properties["lastUpdateTime"]).replace(/(\.\d+)?Z?$/, "")
          const since = names(yield* events(list(`&queryStartTime=${text}`)))
          expect(since).toEqual(names(yield* events(list(`&queryStartTime=${text}Z`))))
          expect(since).toContain(event.name)
        }
      }),
  )
})
