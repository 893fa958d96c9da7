/** The errors of this package: their messages, and their JSON. */
import { expect, it } from "@effect/vitest"
import { CheckpointMismatch, InvalidEvent } from "@vigil/health-client"
import * as Schema from "effect/Schema"

const json = Schema.fromJsonString(Schema.Union([CheckpointMismatch.CheckpointMismatch, InvalidEvent.InvalidEvent]))

it.each([
  [
    "HealthClient.listByTenant: entry 3 of page 2 (ABC-123) is not an event: properties.title must be text, not a number. Skip invalid entries with onInvalid, or report them to the service.",
    {
      _tag: "InvalidEvent",
      operation: "HealthClient.listByTenant",
      page: 2,
      index: 3,
      trackingId: "ABC-123",
      path: "properties.title",
      problem: "must be text, not a number",
      raw: { properties: { title: 7 } },
    },
  ],
  [
    `HealthClient.pagesByTenant: the checkpoint belongs to another list: its filter is "", not "a". Pass the options that the list was started with, or omit from to start over.`,
    {
      _tag: "CheckpointMismatch",
      operation: "HealthClient.pagesByTenant",
      field: "filter",
      expected: "a",
      actual: "",
    },
  ],
])("%s", (message, fields) => {
  const error = Schema.decodeSync(json)(JSON.stringify(fields))
  expect(error).toMatchObject({ service: "health", isRetryable: false, message })
  expect(JSON.parse(Schema.encodeSync(json)(error))).toEqual(fields)
})
