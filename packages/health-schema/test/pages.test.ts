/** Pages without `value`: the document says of which lists it is optional. */
import {
  AvailabilityStatus,
  EmergingIssue,
  EventsPage,
  ImpactedResource,
  Metadata,
  Operation,
} from "@vigil/health-schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"

type Decode = (input: unknown) => Result.Result<object, object>

it.each<readonly [string, Decode, Schema.Codec<unknown>]>([
  ["emerging issues", EmergingIssue.decodePage, EmergingIssue.IssuesPage],
  ["metadata", Metadata.decodePage, Metadata.MetadataPage],
])("a page of %s without value is empty", (_, decode, schema) => {
  for (const page of [{}, { value: null, nextLink: "?page=2" }]) {
    const nextLink = "nextLink" in page ? page.nextLink : undefined
    expect(Result.getOrThrow(decode(page))).toEqual({ items: [], invalid: [], nextLink, raw: page })
    expect(Schema.is(schema)(page)).toBe(true)
  }
  for (const body of [[], null, { value: {} }]) expect(Result.isFailure(decode(body))).toBe(true)
})

it.each<readonly [string, Decode]>([
  ["events", EventsPage.decode("2025-05-01")],
  ["impacted resources", ImpactedResource.decodePage],
  ["statuses", AvailabilityStatus.decodePage],
  ["operations", Operation.decodePage],
])("a page of %s without value is invalid", (_, decode) => {
  expect(Result.merge(decode({}))).toMatchObject({ path: "value", problem: "is missing" })
})
