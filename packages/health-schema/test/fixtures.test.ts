import { readdirSync, readFileSync } from "node:fs"
import { ApiVersion, ErrorResponse, EventsPage, HealthEvent } from "@vigil/health-schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const folder = new URL("fixtures/", import.meta.url)
const files = readdirSync(folder)
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), "utf8"))
const decodePage = (version: ApiVersion.ApiVersion, file: string) =>
  Result.getOrThrow(EventsPage.decode(version)(read(file)))

describe.each(ApiVersion.all)("as version %s", (version) => {
  it.each(files.filter((file) => file.startsWith("events_")))("%s decodes completely and unchanged", (file) => {
    const { invalid, items } = decodePage(version, file)
    expect(invalid).toEqual([])
    expect({ value: items }).toEqual({ value: (read(file) as { readonly value: unknown }).value })
  })

  it("event_details.json is a single event", () => {
    expect(Result.getOrThrow(HealthEvent.decode(version)(read("event_details.json")))).toEqual(
      read("event_details.json"),
    )
  })
})

it.each(["error_flat.json", "error_nested.json", "error_details_list.json"])("%s is an error response", (file) => {
  expect(Schema.is(Schema.Union([ErrorResponse.Nested, ErrorResponse.ErrorResponse]))(read(file))).toBe(true)
})
