/** Filters of a list as plain data. Values are always quoted, so they cannot change the expression. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as Schema from "effect/Schema"

/** The name of an event property: ASCII letters, digits and `_`, not starting with a digit. @category schemas @since 0.1.0 */
export const PropertyName = /* @__PURE__ */ Schema.String.pipe(
  /* @__PURE__ */ Schema.check(Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/)),
  /* @__PURE__ */ Schema.annotate({ identifier: "PropertyName" }),
  /* @__PURE__ */ Schema.brand("@vigil/health-client/Filter/PropertyName"),
)

/** @category models @since 0.1.0 */
export type PropertyName = typeof PropertyName.Type

/** One comparison, or an expression that is sent unchanged (`Raw`). @category models @since 0.1.0 */
export type Simple =
  | { readonly _tag: "Service"; readonly value: string }
  | { readonly _tag: "Region"; readonly value: string }
  | { readonly _tag: "Property"; readonly name: PropertyName; readonly value: string }
  | { readonly _tag: "Raw"; readonly text: string }

/**
 * A filter of a list; compared by structure (`Equal`). There is no `and`, because the documents show only `eq` and `or`: narrow the stream
 * with `Stream.filter` and `Events.concerns`, or use `raw` if your service accepts `and`.
 * @category models @since 0.1.0
 */
export type Filter =
  | Simple
  | { readonly _tag: "Or"; readonly parts: readonly [Simple, Simple, ...ReadonlyArray<Simple>] }

/** Selects events that affect a service, by name. Unpaired surrogates become U+FFFD. @category constructors @since 0.1.0 */
export const service = (name: string): Filter => ({ _tag: "Service", value: name.toWellFormed() })

/**
 * Selects events that affect a region, by name. The service may accept only one spelling, such as `West Europe`. `Events.concerns` ignores
 * case, spaces and dashes.
 * @category constructors @since 0.1.0
 */
export const region = (name: string): Filter => ({ _tag: "Region", value: name.toWellFormed() })

/**
 * Selects events by the text of a property: `properties/eventType eq 'X'` (field notes, "`$filter` forms seen"). Throws on an invalid name.
 * @category constructors @since 0.1.0
 */
export const property = (name: PropertyName | keyof HealthEvent.Properties, value: string): Filter => ({
  _tag: "Property",
  name: PropertyName.make(name),
  value: value.toWellFormed(),
})

/**
 * An expression that is sent unchanged and unchecked: never pass untrusted text. Combined by `or`, it gets no parentheses.
 * @category constructors @since 0.1.0
 */
export const raw = (text: string): Filter => ({ _tag: "Raw", text })

/** Selects events that match any of the filters. Nested `or`s are flattened, and `or(a)` equals `a`. @category constructors @since 0.1.0 */
export const or = (...filters: Arr.NonEmptyReadonlyArray<Filter>): Filter => {
  const [first, second, ...others] = Arr.flatMap(filters, (filter) => (filter._tag === "Or" ? filter.parts : [filter]))
  return second === undefined ? first : { _tag: "Or", parts: [first, second, ...others] }
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Returns the text of `$filter`, such as `service eq 'A' or region eq 'b'`, with quotes doubled. @category rendering @since 0.1.0 */
export const render = (filter: Filter | string): string => {
  if (typeof filter === "string") return filter
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
