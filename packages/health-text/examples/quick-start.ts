import { EventsPage } from "@vigil/health-schema"
import { Labels, PlainHtml, SafeText, Severity, Suggestion, TerminalText, Wrap } from "@vigil/health-text"
import { Console, Effect } from "effect"

const json: unknown = JSON.parse(`{
  "value": [
    { "name": "BC1-FXZ", "properties": { "title": "DNS lookups\\u001b[2J fail", "eventType": "ServiceIssue", "eventLevel": "Critical",
      "summary": "<p>Lookups fail in <b>East US</b>.</p><ul><li>Retry lookups that failed.</li><li>Use another region.</li></ul>",
      "impact": [{ "impactedService": "DNS", "impactedRegions": [{ "impactedRegion": "East US" }] }] } }
  ]
}`)

const program = Effect.gen(function* () {
  const { items } = yield* Effect.fromResult(EventsPage.decode("2025-05-01")(json))
  for (const event of items) {
    const level = TerminalText.paint(Labels.level(event), Severity.color(Labels.level(event)))
    yield* Console.log(level, Labels.type(event), Labels.regions(event).join(", "))
    yield* Console.log(TerminalText.line(Labels.title(event)))
    for (const line of Wrap.lines(PlainHtml.text(event.properties?.summary ?? ""), 40, "  ")) yield* Console.log(line)
    yield* Console.log(SafeText.cut(SafeText.line(Labels.title(event)), 12))
  }
  yield* Console.log(`Unknown region.${Suggestion.question("EastUS", ["East US", "West Europe"])}`)
})

await Effect.runPromise(program)
