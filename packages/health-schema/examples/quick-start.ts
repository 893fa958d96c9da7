import { EventsPage, Timestamp } from "@vigil/health-schema"
import { Console, Effect } from "effect"

const json: unknown = JSON.parse(`{
  "value": [
    { "name": "BC1-FXZ", "properties": { "status": "Active", "lastUpdateTime": "2025-05-13T15:43:48.1203530Z" } },
    { "name": "BC2-FXZ", "properties": { "status": "Active", "priority": 24 } }
  ],
  "nextLink": ""
}`)

const program = Effect.gen(function* () {
  const page = yield* Effect.fromResult(EventsPage.decode("2025-05-01")(json))
  for (const { name, properties } of page.items)
    yield* Console.log(name, properties?.status, Timestamp.instant(properties?.lastUpdateTime))
  for (const { index, path, problem } of page.invalid) yield* Console.log(`entry ${index}: ${path} ${problem}`)
})

await Effect.runPromise(program)
