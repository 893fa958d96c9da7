import { writeFileSync } from "node:fs"
import { Availability, HtmlReport, Timeline, EventSummary } from "@vigil/health-report"
import { EventsPage } from "@vigil/health-schema"
import { Console, Effect } from "effect"

const json: unknown = JSON.parse(`{
  "value": [
    { "name": "BC1-FXZ", "properties": { "title": "DNS lookups fail", "eventType": "ServiceIssue", "eventLevel": "Critical",
      "status": "Active", "impactStartTime": "2025-05-13T09:00:00Z", "impact": [{ "impactedService": "DNS", "impactedRegions": [{ "impactedRegion": "East US" }] }] } }
  ]
}`)

const program = Effect.gen(function* () {
  const { invalid, items } = yield* Effect.fromResult(EventsPage.decode("2025-05-01")(json))
  const now = Date.parse("2025-05-13T12:00:00Z")
  const snapshot = {
    source: "Subscription 00000000-0000-0000-0000-000000000001",
    events: items,
    invalid: invalid.length,
    failed: [],
    from: now - 86_400_000,
    now,
  }
  writeFileSync("report.html", HtmlReport.make(snapshot))
  for (const line of Timeline.lines(snapshot, { width: 80, color: false })) yield* Console.log(line)
  for (const { minutes, region, service, share } of Availability.make(snapshot).rows)
    yield* Console.log(service, region, minutes.Critical, Availability.percentage(share))
  yield* Console.log(EventSummary.text(EventSummary.make(snapshot)))
})

await Effect.runPromise(program)
