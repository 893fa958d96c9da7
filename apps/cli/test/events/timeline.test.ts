import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import stringWidth from "fast-string-width"
import { run } from "../support/run.js"
import { service } from "../support/service.js"

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
      expect(drawn.notes).toEqual([
        "2 events of x, updated in the last 90d; 1 impact without a start not drawn. 2 issues are active. 1 event with an unknown status counts as active.",
      ])
      expect(Math.max(...drawn.data.map((line) => stringWidth(line)))).toBe(80)
      expect(drawn.data.join("\n")).toContain("┬")
    }),
  )
})

describe("events availability", () => {
  it.live(
    "prints minutes by level and the share without an issue, and never that all is well if entries could not be read",
    () =>
      Effect.gen(function* () {
        // One reading of the clock: between two, a millisecond may pass.
        const now = Date.now()
        const hours = (count: number) => new Date(now - count * 3_600_000).toISOString()
        const properties = {
          eventType: "ServiceIssue",
          eventLevel: "Error",
          status: "Resolved",
          impactStartTime: hours(2),
          impactMitigationTime: hours(1),
          lastUpdateTime: hours(1),
          impact: [{ impactedService: "DNS" }],
        }
        const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties }, 42] }) })
        const line = `events availability -s x --base-url ${url} --since 10h`
        const table = yield* run(line)
        expect(table.data.map((line) => line.split("\t"))).toEqual([
          ["SERVICE", "REGION", "WITHOUT ISSUE", "ERROR", "TIME"],
          ["DNS", "(no region)", "90.000%", "60", "██████████"],
        ])
        expect(table.notes.at(-1)).toBe(
          "1 event of x, updated in the last 10h. No issue is known to be active. 1 entry could not be read.",
        )
        const [row] = JSON.parse((yield* run(`${line} -o json`)).data.join("\n"))
        expect(row).toMatchObject({
          service: "DNS",
          region: "",
          minutesError: 60,
          minutesCritical: 0,
          minutesTotal: 60,
        })
      }),
  )
})
