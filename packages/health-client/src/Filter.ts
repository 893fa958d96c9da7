/** Filters of a list as plain data. Values are always quoted, so they cannot change the expression. */
import type * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Arr from "effect/Array"

interface Values {
  readonly service: string
  readonly region: string
  readonly status: typeof Enumerations.EventStatus.Type
  readonly eventType: typeof Enumerations.EventType.Type
}

/** What a filter can compare: the name of an impacted service or region, or a property. @category models @since 0.1.0 */
export type Field = keyof Values

/** A comparison of a field with a value. @category models @since 0.1.0 */
export interface Eq {
  readonly _tag: "Eq"
  readonly field: Field
  readonly value: string
}

/** Comparisons that must all match. @category models @since 0.1.0 */
export interface And {
  readonly _tag: "And"
  readonly parts: Arr.NonEmptyReadonlyArray<Eq>
}

/** An expression that is sent unchanged. @category models @since 0.1.0 */
export interface Raw {
  readonly _tag: "Raw"
  readonly text: string
}

/** Filters of which at least one must match. @category models @since 0.1.0 */
export interface Or {
  readonly _tag: "Or"
  readonly parts: Arr.NonEmptyReadonlyArray<Eq | And | Raw>
}

/** A filter of a list; compared by structure (`Equal`). @category models @since 0.1.0 */
export type Filter = Eq | And | Or | Raw

/**
 * Selects events by the name of an impacted service or region, or by their status or type. The service may accept only one spelling of a
 * region, such as `West Europe`. Unpaired surrogates become U+FFFD.
 * @category constructors @since 0.1.0
 */
export const eq = <F extends Field>(field: F, value: Values[F]): Eq => ({
  _tag: "Eq",
  field,
  value: value.toWellFormed(),
})

/**
 * Selects events that match all filters. A service and a region may match in different impacts of an event: `Events.concerns` requires one
 * impact. It accepts no `or`, because `and` binds tighter: write `or(and(a, c), and(b, c))`.
 * @category constructors @since 0.1.0
 */
export const and = (first: Eq | And, ...others: ReadonlyArray<Eq | And>): And => ({
  _tag: "And",
  parts: Arr.flatMap([first, ...others], (filter) => (filter._tag === "And" ? filter.parts : [filter])),
})

/** Selects events that match any of the filters. @category constructors @since 0.1.0 */
export const or = (first: Filter, ...others: ReadonlyArray<Filter>): Or => ({
  _tag: "Or",
  parts: Arr.flatMap([first, ...others], (filter) => (filter._tag === "Or" ? filter.parts : [filter])),
})

/** An expression that is sent unchanged and unchecked: never pass untrusted text. @category constructors @since 0.1.0 */
export const raw = (text: string): Raw => ({ _tag: "Raw", text })

const names: Readonly<Record<Field, string>> = {
  service: "service",
  region: "region",
  status: "properties/status",
  eventType: "properties/eventType",
}

/**
 * Returns the text of `$filter`, such as `service eq 'A' or region eq 'b'`, with quotes doubled; empty for no filter.
 * @category rendering @since 0.1.0
 */
export const render = (filter: Filter | undefined): string => {
  switch (filter?._tag) {
    case undefined:
      return ""
    case "Eq":
      return `${names[filter.field]} eq '${filter.value.replaceAll("'", "''")}'`
    case "And":
      return filter.parts.map(render).join(" and ")
    case "Or":
      return filter.parts.map(render).join(" or ")
    case "Raw":
      return filter.text
  }
}
