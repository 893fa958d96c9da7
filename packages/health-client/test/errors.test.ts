/** The errors of this package: their messages, and their JSON. */
import { describe, expect, it } from "@effect/vitest"
import { CheckpointMismatch, InvalidEvent } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Errors = Schema.Union([CheckpointMismatch.CheckpointMismatch, InvalidEvent.InvalidEvent])

describe.each<readonly [message: string, error: typeof Errors.Type]>([
  [
    "HealthClient.listByTenant: entry 3 of a page is not an event: properties.title must be text, not a number. Skip invalid entries with onInvalid, or report them to the service.",
    new InvalidEvent.InvalidEvent({
      operation: "HealthClient.listByTenant",
      index: 3,
      path: "properties.title",
      problem: "must be text, not a number",
      raw: { properties: { title: 7 } },
    }),
  ],
  [
    `HealthClient.pagesByTenant: the checkpoint belongs to another list: its filter is "", not "a". Pass the options that the list was started with, or omit from to start over.`,
    new CheckpointMismatch.CheckpointMismatch({
      operation: "HealthClient.pagesByTenant",
      field: "filter",
      expected: "a",
      actual: "",
    }),
  ],
])("%s", (message, error) => {
  it.effect("is the message of a final error, which survives JSON", () =>
    Effect.gen(function* () {
      expect(error).toMatchObject({ service: "health", retryable: false, message })
      const json = JSON.stringify(yield* Schema.encodeEffect(Errors)(error))
      expect(yield* Schema.decodeUnknownEffect(Errors)(JSON.parse(json))).toEqual(error)
    }),
  )
})
