/** The faults that concern the schema, by number. */
import { readFileSync } from "node:fs"
import { ApiVersion, Changes, Events, EventsPage, type HealthEvent, Sensitive, Priority } from "@vigil/health-schema"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const contract: {
  readonly records: Readonly<Record<string, { readonly fields: Readonly<Record<string, unknown>> }>>
} = JSON.parse(readFileSync(new URL("contract.json", import.meta.url), "utf8"))

const read = (text: string, version: ApiVersion.ApiVersion = "2025-05-01") =>
  EventsPage.decode(version)(JSON.parse(text))

/** A page of one event with these properties, as text. */
const page = (properties: string) => `{"value":[{"name":"A","properties":${properties}}]}`

/** Returns the decoded event, or the path of the invalid field. */
const verdict = (properties: string) => {
  const { invalid, items } = Result.getOrThrow(read(page(properties)))
  return invalid[0]?.path ?? items[0]
}

/** Calls every function that takes an event. */
const callAll = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>) => [
  Events.interval(event),
  Events.impacts(event),
  Events.concerns({ service: "DNS", region: "Global" })(event),
  Sensitive.withheldTexts(event),
  Priority.priority(event),
  Changes.isEmpty(Changes.compare(event, {})),
]

describe("38 invalid UTF-8", () => {
  it("is replaced by U+FFFD, and decodes", () => {
    const title = new TextDecoder().decode(Uint8Array.of(0x41, 0xff, 0x42))
    expect(verdict(JSON.stringify({ title }))).toMatchObject({ properties: { title: "A\ufffdB" } })
  })
})

describe("39 JSON nested 10,000 deep", () => {
  const nested = `${"[".repeat(10_000)}${"]".repeat(10_000)}`

  it("decodes where any JSON is valid, and every function supports it", () => {
    const { items } = Result.getOrThrow(read(page(`{"article":{"parameters":{"deep":${nested}}}}`)))
    const [copy] = Result.getOrThrow(read(page(`{"article":{"parameters":{"deep":${nested}}}}`))).items
    expect(items.flatMap(callAll)).toHaveLength(6)
    expect(verdict(`{"article":{"parameters":${nested}},"links":[{"parameters":${nested}}]}`)).toBeTypeOf("object")
    expect(items.map((event) => Changes.isEmpty(Changes.compare(event, copy ?? {})))).toEqual([true])
  })

  it("is invalid elsewhere", () => {
    expect(verdict(`{"title":${nested}}`)).toBe("properties.title")
    expect(verdict(`{"impact":${nested}}`)).toBe("properties.impact[0]")
  })
})

describe("40 __proto__ and constructor", () => {
  it("are plain data, and change no prototype", () => {
    const text = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"title":"T"}`
    const { items } = Result.getOrThrow(read(page(text)))
    expect(JSON.stringify(items[0]?.properties)).toBe(text)
    items.forEach(callAll)
    expect("polluted" in {}).toBe(false)
  })
})

describe("41 numbers", () => {
  it.each([
    [`{"priority":24}`, "properties.priority"],
    [`{"newRate":1e400}`, "properties.newRate"],
    [`{"duration":1.5}`, "properties.duration"],
    [`{"duration":1e400}`, "properties.duration"],
    [`{"duration":99999999999999999999}`, "properties.duration"],
  ])("%s has an invalid field", (properties, path) => {
    expect(verdict(properties)).toBe(path)
  })

  it("are unlimited without a limit in the contract, and the last duplicate key counts", () => {
    expect(verdict(`{"oldRate":-1e300,"huge":1e400,"title":"one","title":"two"}`)).toMatchObject({
      properties: { oldRate: -1e300, huge: Number.POSITIVE_INFINITY, title: "two" },
    })
  })
})

describe("46 dates", () => {
  it("are kept as text, or are invalid", () => {
    for (const impactStartTime of ["0001-01-01T00:00:00", "2025-05-13T15:43:48.1203530Z", "", "2025-02-30"])
      expect(verdict(JSON.stringify({ impactStartTime }))).toMatchObject({ properties: { impactStartTime } })
    for (const date of [`"7/24/2020"`, "1747150000000"])
      expect(verdict(`{"impactStartTime":${date}}`)).toBe("properties.impactStartTime")
  })
})

describe("47 contradictions", () => {
  it("are valid: mitigated before the start, or resolved without mitigation", () => {
    const both = [
      `{"impactStartTime":"2025-05-13","impactMitigationTime":"2025-05-12"}`,
      `{"status":"Resolved","impactStartTime":"2025-05-13"}`,
    ].map((text) => Result.getOrThrow(read(page(text))).items[0] ?? {})
    expect(both.map((event) => Option.isSome(Events.interval(event)))).toEqual([false, true])
  })
})

describe("48 enumerations", () => {
  it("keep unknown values and spellings", () => {
    const text = `{"eventType":"serviceissue","status":"PAUSED","level":"","eventTags":["New"]}`
    expect(verdict(text)).toEqual({ name: "A", properties: JSON.parse(text) })
  })
})

describe.each(ApiVersion.all)("49 null and missing values, version %s", (version) => {
  /** A record with `null` in every field. */
  const nulls = (name: string) =>
    Object.fromEntries(Object.keys(contract.records[name]?.fields ?? {}).map((field) => [field, null]))

  it("are valid for every field", () => {
    const region = { ...nulls("impactedServiceRegion"), updates: [nulls("update")] }
    const properties = {
      ...nulls("properties"),
      additionalInformation: nulls("additionalInformation"),
      article: nulls("article"),
      faqs: [nulls("faq")],
      links: [{ ...nulls("link"), displayText: nulls("displayText") }],
      recommendedActions: { ...nulls("RecommendedActions"), actions: [nulls("item")] },
      impact: [{ ...nulls("impact"), impactedRegions: [region] }],
    }
    const value = [
      { ...nulls("event"), properties },
      { ...nulls("event"), properties: nulls("properties") },
      nulls("event"),
      {},
    ]
    const { invalid, items } = Result.getOrThrow(read(JSON.stringify({ value }), version))
    expect(invalid).toEqual([])
    expect(items).toEqual(value)
    for (const event of items) {
      const [interval, , , withheld, priority] = callAll(event)
      expect([interval, withheld, priority]).toEqual([Option.none(), [], Option.none()])
    }
  })

  it("are invalid in place of an event, like other values, and the rest of the page is delivered", () => {
    const { invalid, items } = Result.getOrThrow(read(`{"value":[{"name":"A"},42,"x",null,[],{"name":"B"}]}`, version))
    expect(items.map(({ name }) => name)).toEqual(["A", "B"])
    expect(invalid.map(({ index, path, problem }) => [index, path, problem])).toEqual([
      [1, "", "must be an object, not a number"],
      [2, "", "must be an object, not a string"],
      [3, "", "must be an object, not null"],
      [4, "", "must be an object, not an array"],
    ])
  })
})

describe("an invalid event", () => {
  it("is reported without its values", () => {
    const canary = "canary-8d1f"
    for (const properties of [
      { priority: canary },
      { lastUpdateTime: canary },
      { impact: canary },
      { impact: [{ impactedRegions: [{ status: { canary } }] }] },
      { article: { articleId: [canary] } },
      { recommendedActions: { actions: [{ groupId: canary }] } },
    ]) {
      const { invalid } = Result.getOrThrow(read(JSON.stringify({ value: [{ name: canary, properties }] })))
      expect(invalid).toHaveLength(1)
      expect(`${invalid[0]?.path} ${invalid[0]?.problem}`).not.toContain(canary)
    }
  })
})
