/** How values are printed: as columns of a table, as fields of CSV, or as JSON. */
import * as Subject from "@vigil/health-verdict/Subject"
import * as Order from "effect/Order"
import * as Record from "effect/Record"
import type * as Table from "./Table.js"

/** A cell of CSV. */
export type Cell = string | number | boolean | null | undefined

export type Row = ReadonlyArray<Cell>

export type Fields<A> = Readonly<Record<string, (value: A) => Cell>>

export interface Column<A> extends Table.Column {
  /** The name of the field that the column shows. */
  readonly field?: string
  /** Default: the value of the field. */
  readonly cell?: ((value: A) => Cell) | undefined
  /** For `--sort-by`. Default: by the value of the field. */
  readonly order?: Order.Order<A> | undefined
}

export interface Definition<A> {
  readonly columns: ReadonlyArray<Column<A>>
  readonly fields: Fields<A>
  /** Default: an object with the fields. */
  readonly json?: (value: A) => unknown
  /** Tables and CSV leave out other values. Default: all are rows. */
  readonly isRow?: (value: A) => boolean
}

/** The columns and fields of values that contain an `A`. */
export const mapInput = <A, B>({ columns, fields }: Definition<A>, get: (value: B) => A | undefined) => {
  const lift =
    <C>(read: (value: A) => C) =>
    (value: B) => {
      const inner = get(value)
      return inner === undefined ? undefined : read(inner)
    }
  /** Values without an `A` come last. */
  const liftOrder =
    (order: Order.Order<A>): Order.Order<B> =>
    (one, other) => {
      const [a, b] = [get(one), get(other)]
      if (a === undefined || b === undefined) return Order.Boolean(a === undefined, b === undefined)
      return order(a, b)
    }
  return {
    columns: columns.map(({ cell, order, ...column }): Column<B> => ({
      ...column,
      cell: cell && lift(cell),
      order: order && liftOrder(order),
    })),
    fields: Record.map(fields, lift) satisfies Fields<B>,
  }
}

/** What fits if names do not: `both`, `all 3`, `2 of 3`. */
const howMany = (some: number, all: number): string =>
  some < all ? `${some} of ${all}` : all === 2 ? "both" : `all ${all}`

/** The definition with the subscriptions of a value in the first column, unless there is one subscription, then the other owners. CSV has the IDs, and tables their labels, or how many of `count` they are if these do not fit. */
export const withSubscription = <A>(
  definition: Definition<A>,
  ownersOf: (value: A) => ReadonlyArray<Subject.Shared | string>,
  label: ((id: string) => string) | undefined,
  count = 1,
): Definition<A> => {
  if (label === undefined) return definition
  /** By the cell with several labels, which may contain commas. */
  const counts = new Map<string, string>()
  const textOf = (label: (id: string) => string) => (owner: Subject.Shared | string) =>
    typeof owner === "string" ? label(owner) : Subject.label(owner)
  const labelOf = textOf(label)
  const cell = (value: A) => {
    const owners = ownersOf(value)
    const labels = owners.map(labelOf)
    const cell = labels.join(", ")
    const some = owners.filter((owner) => typeof owner === "string").length
    if (some > 1) counts.set(cell, [howMany(some, count), ...labels.slice(some)].join(", "))
    return cell
  }
  const { columns, fields } = definition
  return {
    ...definition,
    columns: [
      { heading: "SUBSCRIPTION", field: "subscription", minWidth: 8, cell, shorten: (cell) => counts.get(cell) },
      ...columns,
    ],
    fields: { subscription: (value) => ownersOf(value).map(textOf(String)).join(", "), ...fields },
  }
}

/** A value as an object with all fields. */
export const toObject = <A>(fields: Fields<A>, value: A): { [name: string]: NonNullable<Cell> | null } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(value) ?? null]))

/** Prints a list part by part. `printed`: how many values were printed before. */
interface Writer<A> {
  /** The lines of some values, or `undefined` if one is nested too deeply. */
  readonly part: (values: ReadonlyArray<A>, printed: number) => ReadonlyArray<string> | undefined
  readonly end: (printed: number) => ReadonlyArray<string>
}

export interface One {
  readonly lines: (width: number | undefined, color: boolean) => ReadonlyArray<string>
  readonly record: Readonly<Record<string, Cell>>
  readonly json: unknown
}

export interface Printer {
  /** `hasHeadings`: whether a format that has a line of headings prints it. */
  readonly list: <A>(definition: Required<Definition<A>>, hasHeadings: boolean) => Writer<A>
  readonly one: (value: One) => ReadonlyArray<string> | undefined
}
