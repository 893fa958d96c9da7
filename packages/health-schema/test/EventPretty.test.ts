import { EventArbitrary, EventPretty, type HealthEvent } from "@vigil/health-schema"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const print = (event: object, width?: number) => EventPretty.format(event as HealthEvent.HealthEvent, { width })

describe("EventPretty.format", () => {
  it("prints one line per field of any event", () => {
    FastCheck.assert(
      FastCheck.property(
        EventArbitrary.event("2025-05-01"),
        FastCheck.integer({ min: 20, max: 100 }),
        (event, width) => {
          const lines = EventPretty.format(event, { width }).split("\n")
          const { properties, ...identity } = event
          const fields = [...Object.values(identity), ...Object.values(properties ?? {})].filter(
            (field) => field !== null,
          )
          expect(lines).toHaveLength(Math.max(1, fields.length))
          for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(width)
        },
      ),
    )
  })

  it("prints no control sequence", () => {
    const title = "\u001b[2Ja\r\nb\u0008\u202ec\u200b\ud800\u2028d"
    expect(print({ name: "A", properties: { title, impact: [{ impactedService: "DNS" }], header: null } })).toBe(
      `name: A\ntitle: [2Ja b c d\nimpact: [{"impactedService":"DNS"}]`,
    )
  })

  it("prints the identity first, wherever the properties are", () => {
    expect(print({ properties: { title: "T", priority: 7, isHIR: false }, name: "A", id: undefined })).toBe(
      "name: A\ntitle: T\npriority: 7\nisHIR: false",
    )
    expect(print({ name: "A" })).toBe("name: A")
    expect(print({ name: "A", properties: null })).toBe("name: A")
  })

  it("prints lists and records as JSON", () => {
    const value = { list: [1, "two", null, [], {}], "a key": { b: true, c: "d" } }
    expect(print({ properties: { value } }, 200)).toBe(`value: ${JSON.stringify(value)}`)
    expect(print({ properties: { empty: [], none: {} } })).toBe("empty: []\nnone: {}")
  })

  it.each([
    ["a text that fits", 12, "name: abcdef"],
    ["a text that is one character too long", 11, "name: abcd…"],
    ["a text that is much too long", 2, "n…"],
    ["the minimum width", 1, "…"],
    ["a negative width", -3, "…"],
  ])("cuts a line to its width: %s", (_, width, line) => {
    expect(print({ name: "abcdef" }, width)).toBe(line)
  })

  it("counts characters, and never splits one", () => {
    expect(print({ name: "🌩🌩🌩" }, 9)).toBe("name: 🌩🌩🌩")
    expect(print({ name: "🌩🌩🌩" }, 8)).toBe("name: 🌩…")
  })

  it("has a default width of 120, and a maximum of 2,000", () => {
    const name = "x".repeat(5_000)
    expect(EventPretty.format({ name })).toHaveLength(120)
    expect(print({ name })).toHaveLength(120)
    expect(print({ name }, 1_999)).toHaveLength(1_999)
    expect(print({ name }, Number.POSITIVE_INFINITY)).toHaveLength(2_000)
  })

  it("reads only as much of a value as the line shows", () => {
    const seen: Array<string> = []
    const watched = (key: string) => ({
      get value() {
        seen.push(key)
        return "v".repeat(40)
      },
    })
    const list = [watched("a"), watched("b"), watched("c"), watched("d")]
    expect(print({ properties: { list } }, 60)).toHaveLength(60)
    // `Object.entries` of a list reads no fields of elements; only printing does.
    expect(seen).toEqual(["a", "b"])
    const long = { ["k".repeat(5_000)]: 1 }
    expect(print({ properties: { long } }, 30)).toBe(`long: {"${"k".repeat(21)}…`)
  })

  it("marks a cut inside a value, also if white space or surrogate pairs make the line shorter", () => {
    const article = { articleContent: " ".repeat(150), articleId: "A-1" }
    expect(print({ properties: { article } })).toBe('article: {"articleContent":" …"…}')
    expect(print({ properties: { list: ["🌩".repeat(60), "b"] } })).toMatch(/^list: \["🌩+\ufffd?…"…\]$/u)
  })

  it("does not overflow on deep nesting", () => {
    let deep: unknown = "bottom"
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(print({ properties: { deep } }, 20)).toBe(`deep: ${"[".repeat(13)}…`)
  })
})
