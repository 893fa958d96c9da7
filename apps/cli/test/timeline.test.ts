import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import { run } from "./run.js"
import { service } from "./service.js"

describe("events timeline", () => {
  it.live("lists each impact on a service in a region in the other formats", () =>
    Effect.gen(function* () {
      const impact = [
        {
          impactedService: "DNS",
          impactedRegions: [
            { impactedRegion: "East US", status: "Resolved", lastUpdateTime: "2026-03-10T10:00:00Z" },
            { impactedRegion: "UK South" },
          ],
        },
      ]
      const properties = { status: "Active", impactStartTime: "2026-03-10T09:00:00Z", impact }
      const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties }, { name: "=B" }] }) })
      const line = `events timeline -s x --base-url ${url} -o`
      const start = "2026-03-10T09:00:00.000Z"
      const end = "2026-03-10T10:00:00.000Z"
      expect(JSON.parse((yield* run(`${line} json`)).data.join("\n"))).toEqual([
        { service: "DNS", region: "East US", start, end, trackingId: "A", status: "Active" },
        { service: "DNS", region: "UK South", start, end: null, trackingId: "A", status: "Active" },
        { service: "", region: "", start: null, end: null, trackingId: "=B", status: null },
      ])
      const [headings] = (yield* run(`${line} csv`)).data
      expect(headings).toBe("service,region,start,end,trackingId,status")
      const drawn = yield* run(line.replace(" -o", ""))
      expect(drawn.notes).toEqual(["2 events; 1 impact without a start not drawn"])
      expect(Math.max(...drawn.data.map((line) => stringWidth(line)))).toBe(80)
      expect(drawn.data.join("\n")).toContain("┬")
    }),
  )
})
