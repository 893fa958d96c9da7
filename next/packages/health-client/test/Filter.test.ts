import { describe, expect, it } from "@effect/vitest"
import { Filter } from "@vigil/health-client"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"

const { or, property, raw, region, service } = Filter

describe("Filter.render", () => {
  it.each<readonly [text: string, filter: Filter.Filter]>([
    ["service eq 'Storage'", service("Storage")],
    ["region eq 'westeurope'", region("westeurope")],
    ["properties/eventType eq 'ServiceIssue'", property("eventType", "ServiceIssue")],
    ["service eq 'A' or region eq 'b'", or(service("A"), region("b"))],
    ["service eq 'O''Brien''s'", service("O'Brien's")],
    ["service eq ''''", service("'")],
    ["service eq ''", service("")],
    ["service eq 'a'' or region eq ''b'", service("a' or region eq 'b")],
    ["service eq 'a\nb\u0000'", service("a\nb\u0000")],
    ["service eq 'a\\'", service("a\\")],
    ["service eq 'ünï 😀'", service("ünï 😀")],
    ["service eq '\ufffd'", service("\ud83d")],
    ["not (priority gt 3)", raw("not (priority gt 3)")],
    ["region eq 'b' or priority gt 3", or(region("b"), raw("priority gt 3"))],
    ["", raw("")],
  ])("renders %s", (text, filter) => {
    expect(Filter.render(filter)).toBe(text)
  })
})

describe("Filter.or", () => {
  const [a, b, c] = [service("A"), region("b"), raw("priority gt 3")] as const

  it("flattens alternatives", () => {
    expect(or(or(a, b), c)).toEqual(or(a, b, c))
    for (const same of [or(or(a, b), c), or(a, or(b, c)), or(or(or(a), or(b)), or(c))])
      expect(Equal.equals(same, or(a, b, c))).toBe(true)
  })

  it("returns a single filter unchanged", () => {
    expect(or(a)).toBe(a)
    expect(or(or(a, b))).toEqual(or(a, b))
  })

  it("keeps the order and duplicates", () => {
    expect(Filter.render(or(b, a, b))).toBe("region eq 'b' or service eq 'A' or region eq 'b'")
  })
})

describe("a filter", () => {
  it("equals another filter of the same structure only", () => {
    expect(Equal.equals(property("title", "x"), property("title", "x"))).toBe(true)
    expect(Hash.hash(property("title", "x"))).toBe(Hash.hash(property("title", "x")))
    expect(Equal.equals(property("title", "x"), property("summary", "x"))).toBe(false)
    expect(Equal.equals(service("x"), region("x"))).toBe(false)
    expect(Equal.equals(service("x"), service("X"))).toBe(false)
    expect(Equal.equals(or(service("x"), region("y")), or(region("y"), service("x")))).toBe(false)
  })

  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(or(service("A"), property("title", "x"))))).toEqual({
      _tag: "Or",
      parts: [
        { _tag: "Service", value: "A" },
        { _tag: "Property", name: "title", value: "x" },
      ],
    })
  })

  it("accepts the property names of the document, and validated others", () => {
    expect(Filter.render(property("eventSubType", "x"))).toBe("properties/eventSubType eq 'x'")
    expect(Filter.render(property(Filter.PropertyName.make("other"), "x"))).toBe("properties/other eq 'x'")
    // @ts-expect-error Neither a property of the document nor validated.
    expect(Filter.render(property("undocumented", "x"))).toBe("properties/undocumented eq 'x'")
  })

  it.each(["", "a b", "a'", "a/b", "1a", "ä", "a\n", "a eq 'x' or b", "__proto__ "])(
    "rejects the property name %j",
    (name) => {
      expect(Schema.is(Filter.PropertyName)(name)).toBe(false)
      // @ts-expect-error JavaScript callers can pass any string.
      expect(() => property(name, "x")).toThrow()
    },
  )
})
