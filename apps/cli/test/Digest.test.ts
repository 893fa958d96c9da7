import { describe, expect, it } from "vitest"
import type { Snapshot } from "../src/events/Snapshot.js"
import * as Digest from "../src/serve/Digest.js"

describe("an event as text", () => {
  const update = (summary: string | null, updateDateTime?: string) => ({ summary, updateDateTime })
  const impact = (...updates: ReadonlyArray<object>) => [
    { impactedService: "DNS", impactedRegions: [{ impactedRegion: "East US", updates }, {}] },
    {},
  ]

  it.each([
    [null, "Event, No level, No status"],
    [{ summary: "One.", description: "Two." }, "Event, No level, No status\n\nOne."],
    [{ summary: "", description: "Two." }, "Event, No level, No status\n\nTwo."],
    [{ impact: [{ impactedService: "DNS" }] }, "Event, No level, No status\nDNS"],
    [
      {
        summary: "First.",
        impact: impact(
          update("First.", "2026-03-10T09:00:00Z"),
          update("Last.", "2026-03-10T11:00:00Z"),
          update("Same.", "2026-03-10T11:00:00Z"),
          update("", "2026-03-10T12:00:00Z"),
        ),
      },
      "Event, No level, No status\nDNS in East US\n\nFirst.\n\nLast.",
    ],
    [{ summary: "One.", impact: impact(update("One.")) }, "Event, No level, No status\nDNS in East US\n\nOne."],
    [{ impact: impact(update("Undated.")) }, "Event, No level, No status\nDNS in East US\n\nUndated."],
    [{ description: "a<br><br><br>b\r\nc" }, "Event, No level, No status\n\na\n\nb c"],
  ])("with the properties %j has its facts, its summary and its latest update", (properties, text) => {
    expect(Digest.text({ properties } as Snapshot["events"][number])).toBe(text)
  })
})
