import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Filter } from "@vigil/health-client"
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"

const { or, property, raw, region, service } = Filter

const parsed = (text: string) => Either.getOrThrow(Filter.parse(text))

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

describe("Filter.parse", () => {
  it.each<readonly [text: string, filter: Filter.Filter]>([
    // The forms of the document and of the field notes.
    ["service eq 'A' or region eq 'b'", or(service("A"), region("b"))],
    ["properties/eventType eq 'X'", property("eventType", "X")],
    ["service eq Storage", service("Storage")],
    ["service eq 'O''Brien'", service("O'Brien")],
    // Quotes.
    ["service eq ''", service("")],
    ["service eq ''''", service("'")],
    ["service eq ' or '", service(" or ")],
    ["service eq 'a'' or region eq ''b'", service("a' or region eq 'b")],
    ["service eq 'null' or service eq '1'", or(service("null"), service("1"))],
    ["region eq north-central.2_b", region("north-central.2_b")],
    // White space.
    ["  service\teq\n'A'  ", service("A")],
    ["service eq 'A'\r\nor\u00a0region eq b", or(service("A"), region("b"))],
    ["service eq'A'or region eq'b'", or(service("A"), region("b"))],
    // Keywords in any case; values and property names keep theirs.
    ["SERVICE EQ 'A' OR Region Eq b", or(service("A"), region("b"))],
    ["Properties/eventType eq ServiceIssue", property("eventType", "ServiceIssue")],
    ["properties/_x1 eq 'X'", property(Filter.PropertyName.make("_x1"), "X")],
    ["service eq 'A' or service eq 'B' or service eq 'C'", or(service("A"), service("B"), service("C"))],
  ])("parses %j", (text, filter) => {
    expect(parsed(text)).toEqual(filter)
    expect(Equal.equals(parsed(text), filter)).toBe(true)
  })

  const subject = "service, region or properties/<name>"
  const value = "a value in quotes, or one word"
  it.each<readonly [text: string, position: number, expected: string]>([
    ["", 0, subject],
    ["  ", 2, subject],
    ["title eq 'A'", 0, subject],
    ["'service' eq 'A'", 0, subject],
    ["xservice eq 'A'", 0, subject],
    ["services eq 'A'", 0, subject],
    ["xregion eq 'A'", 0, subject],
    ["regions eq 'A'", 0, subject],
    ["xproperties/title eq 'A'", 0, subject],
    ["properties eq 'A'", 0, subject],
    ["properties/ eq 'A'", 0, subject],
    ["properties/1a eq 'A'", 0, subject],
    ["properties/a/b eq 'A'", 0, subject],
    ["(service eq 'A')", 0, subject],
    ["not service eq 'A'", 0, subject],
    ["contains(service, 'A')", 0, subject],
    ["service eq 'A' or", 17, subject],
    ["service eq 'A' or or region eq 'b'", 18, subject],
    ["service", 7, "eq"],
    ["service 'A'", 8, "eq"],
    ["service ne 'A'", 8, "eq"],
    ["service xeq 'A'", 8, "eq"],
    ["service eqx 'A'", 8, "eq"],
    ["service eq 'A' xor region eq 'b'", 15, "or, or the end"],
    ["service eq 'A' orx region eq 'b'", 15, "or, or the end"],
    ["  service = 'A'", 10, "eq"],
    ["service eq", 10, value],
    ["service eq ", 11, value],
    ["service eq 'A", 11, value],
    ["service eq '", 11, value],
    ["service eq 'A'' or region eq 'b'", 30, "or, or the end"],
    ["service eq 'A''", 11, value],
    ["service eq or region eq 'b'", 11, value],
    ["service eq region", 11, value],
    ["properties/priority eq 5", 23, value],
    ["properties/isHIR eq true", 20, value],
    ["properties/impactStartTime eq 2025-01-01", 30, value],
    ["properties/title eq NULL", 20, value],
    ["properties/title eq properties/summary", 20, value],
    ["service eq (A)", 11, value],
    ["service eq 😀", 11, value],
    ["service eq 'A' and region eq 'b'", 15, "or, or the end"],
    ["service eq Virtual Machines", 19, "or, or the end"],
    ["service eq 'A')", 14, "or, or the end"],
    ["service eq 'A' 'B'", 15, "or, or the end"],
    ["service eq tolower('A')", 18, "or, or the end"],
    ["service eq A; drop", 12, "or, or the end"],
  ])("fails for %j at %d, expecting %s", (text, position, expected) => {
    const error = Either.getOrThrow(Either.flip(Filter.parse(text)))
    expect(error).toMatchObject({ _tag: "FilterSyntaxError", position, expected })
    expect(error.message).toContain(`at position ${position}: expected ${expected}.`)
    expect(error.message).toContain("Filter.raw")
    expect(error.retryable).toBe(false)
  })

  it("fails with an error that does not contain the text", () => {
    const error = Either.getOrThrow(Either.flip(Filter.parse("service eq 'canary-51ab' and region eq 'canary-51ab'")))
    for (const text of [error.message, JSON.stringify(error), inspect(error), String(error.stack)])
      expect(text).not.toContain("canary-51ab")
  })

  it("parses values and alternatives of any length", () => {
    const long = `it's ${"'".repeat(1_000_000)}${"x".repeat(1_000_000)}`
    expect(Equal.equals(parsed(Filter.render(service(long))), service(long))).toBe(true)
    const [first = "", ...rest] = Array.from({ length: 20_000 }, (_, n) => `r${n}`)
    const many = or(region(first), ...rest.map(region))
    expect(Equal.equals(parsed(Filter.render(many)), many)).toBe(true)
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
