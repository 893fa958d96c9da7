/** What a list is filtered by: an expression as plain data, written so that no value can become a part of it. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as filterTokens from "./internal/filterTokens.js"

/**
 * The name of an event's property: letters, digits and `_`, of ASCII, no digit first. Decode with it a name that comes
 * from outside.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PropertyName = /* @__PURE__ */ Schema.String.pipe(
  /* @__PURE__ */ Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]*$/),
  /* @__PURE__ */ Schema.brand("@vigil/health-client/Filter/PropertyName", { identifier: "PropertyName" }),
)

/**
 * The name of an event's property.
 *
 * @category models
 * @since 0.1.0
 */
export type PropertyName = typeof PropertyName.Type

/**
 * The comparison of one thing with a text. `value` is the text; of a `Property`, `name` says which.
 *
 * @category models
 * @since 0.1.0
 */
export type Comparison =
  | { readonly _tag: "Service"; readonly value: string }
  | { readonly _tag: "Region"; readonly value: string }
  | { readonly _tag: "Property"; readonly name: PropertyName; readonly value: string }

/**
 * An expression that is sent as it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly _tag: "Raw"
  /** The expression, unchecked. */
  readonly text: string
}

/**
 * Alternatives, at least two.
 *
 * @category models
 * @since 0.1.0
 */
export interface Or {
  readonly _tag: "Or"
  /** The alternatives, none of them an `Or`. */
  readonly parts: readonly [Comparison | Raw, Comparison | Raw, ...ReadonlyArray<Comparison | Raw>]
}

/**
 * A filter of a list. Filters made by the constructors are compared by structure (`Equal`).
 *
 * There is no `and`. The documents show only `eq` and `or`, and do not say how a service treats `and`. Filter on the
 * property that selects fewest events, then narrow the stream with `Stream.filter`, for example with `Events.concerns`,
 * which also requires the service and the region to be of the same impact. If your service accepts `and`, use `raw`.
 *
 * @category models
 * @since 0.1.0
 */
export type Filter = Comparison | Or | Raw

/** Half a character, which no address can hold, becomes U+FFFD. */
const wellFormed = (value: string): string => value.replace(/\p{Cs}/gu, "\ufffd")

/**
 * Events that concern a service, by its name (document, "List events for a subscription"). Any text is a value: it is
 * quoted when it is rendered, and can't end its comparison. Half a surrogate pair in it becomes U+FFFD; control characters
 * are kept, and percent-encoded in the address.
 *
 * @category constructors
 * @since 0.1.0
 */
export const service = (name: string): Filter => Data.struct({ _tag: "Service", value: wellFormed(name) })

/**
 * Events that concern a region, by its name (document, "List events for a subscription"). The value is treated as that of
 * `service`. It is sent as given, and the service compares it: some may know `West Europe` only, and not `westeurope`.
 * `Events.concerns` of `@vigil/health-schema` compares regions without regard to case, spaces and dashes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const region = (name: string): Filter => Data.struct({ _tag: "Region", value: wellFormed(name) })

/**
 * Events whose property is this text: `properties/eventType eq 'X'` (field notes, "`$filter` forms seen"). The value is
 * treated as that of `service`; throws a `ParseError` on a name that is no `PropertyName`, which the types rule out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const property = (name: PropertyName | keyof HealthEvent.Properties, value: string): Filter =>
  Data.struct({ _tag: "Property", name: PropertyName.make(name), value: wellFormed(value) })

/**
 * An expression in the service's own grammar, sent as it is: for what the other constructors can't say. Nothing of it is
 * checked, so nothing of it should come from outside; as one of several alternatives it gets no parentheses.
 *
 * @category constructors
 * @since 0.1.0
 */
export const raw = (text: string): Filter => Data.struct({ _tag: "Raw", text })

const partsOf = (filter: Filter): Arr.NonEmptyReadonlyArray<Comparison | Raw> =>
  filter._tag === "Or" ? filter.parts : [filter]

const anyOf = (filters: Arr.NonEmptyReadonlyArray<Filter>): Filter => {
  const [first, second, ...others] = Arr.flatMap(filters, partsOf)
  return second === undefined ? first : Data.struct({ _tag: "Or", parts: Data.tuple(first, second, ...others) })
}

/**
 * Events that one of the filters lets through. Alternatives of alternatives are laid flat: `or(or(a, b), c)` equals
 * `or(a, b, c)`, and `or(a)` equals `a`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const or = (first: Filter, ...rest: ReadonlyArray<Filter>): Filter => anyOf([first, ...rest])

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/**
 * The text of `$filter`, not yet encoded for an address: `service eq 'A' or region eq 'b'`. Values stand in quotes, the
 * quotes in them doubled (field notes, "`$filter` forms seen").
 *
 * @category rendering
 * @since 0.1.0
 */
export const render = (filter: Filter): string => {
  switch (filter._tag) {
    case "Service":
      return `service eq ${quoted(filter.value)}`
    case "Region":
      return `region eq ${quoted(filter.value)}`
    case "Property":
      return `properties/${filter.name} eq ${quoted(filter.value)}`
    case "Raw":
      return filter.text
    case "Or":
      return filter.parts.map(render).join(" or ")
  }
}

/**
 * A text is no filter that `parse` reads. `position` counts UTF-16 code units from 0; nothing of the text is kept.
 *
 * @category errors
 * @since 0.1.0
 */
export class FilterSyntaxError
  extends /* @__PURE__ */ Data.TaggedError("FilterSyntaxError")<{
    readonly position: number
    /** What could have stood there, in words. */
    readonly expected: string
  }>
{
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    return `The filter can't be read at position ${this.position}: expected ${this.expected}. Write comparisons such as service eq 'Storage', joined by or; Filter.raw sends anything else as it is.`
  }
}

/** The filter that a comparison's first word, and its value, make; `undefined` when the word names nothing. */
const comparison = (subject: string, value: string): Filter | undefined => {
  if (/^service$/i.test(subject)) return service(value)
  if (/^region$/i.test(subject)) return region(value)
  const [, name = ""] = /^properties\/(.*)$/i.exec(subject) ?? []
  return Schema.is(PropertyName)(name) ? property(name, value) : undefined
}

/**
 * Reads the forms that the documents show: comparisons of `service`, `region` and `properties/<name>` with `eq`, joined by
 * `or`. A value stands in quotes, the quotes in it doubled, or is one unquoted word that begins with a letter and is no
 * key word; key words are read in any case, and white space may be any. Everything else is a `FilterSyntaxError`: `and`,
 * `ne`, parentheses, functions, unquoted numbers and dates, `null`, `true`. Use `raw` for those.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Either.Either<Filter, FilterSyntaxError> => {
  const tokens = filterTokens.split(text)
  const fail = (position: number, expected: string) => Either.left(new FilterSyntaxError({ position, expected }))
  const parts: Array<Filter> = []
  for (let at = 0; ; at += 4) {
    const [subject, verb, object, join] = [0, 1, 2, 3].map((offset) => tokens.at(at + offset))
    // What is behind the last token is its end, again and again.
    const end = { position: text.length, text: "" }
    const { position, text: word } = subject ?? end
    if (comparison(word, "") === undefined) return fail(position, "service, region or properties/<name>")
    if (!/^eq$/i.test(verb?.text ?? "")) return fail((verb ?? end).position, "eq")
    const value = filterTokens.value((object ?? end).text)
    const part = value === undefined ? undefined : comparison(word, value)
    if (part === undefined) return fail((object ?? end).position, "a value in quotes, or one word")
    if (join === undefined) return Either.right(anyOf(Arr.append(parts, part)))
    parts.push(part)
    if (!/^or$/i.test(join.text)) return fail(join.position, "or, or the end")
  }
}
