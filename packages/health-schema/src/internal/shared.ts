/** Compares events of different API versions: what only one of two events has may be a field that the other version lacks. */
import * as Predicate from "effect/Predicate"

/** The names of the fields of the records at one path, with the shapes of their values. */
interface Shape extends Map<string, Shape> {}

const add = (shape: Shape, value: unknown): Shape => {
  if (Array.isArray(value)) for (const element of value) add(shape, element)
  else if (Predicate.isObject(value))
    for (const [name, field] of Object.entries(value)) shape.set(name, add(shape.get(name) ?? new Map(), field))
  return shape
}

const shapeOf = (event: object): Shape => add(add(new Map(), always), event)

/** Every version has it, and an event without it is active. */
const always = { properties: { status: null } }

/** Leaves out the fields that no record of the shape has. Without a record at a path, nothing is known of its fields. */
const keep = (value: unknown, shape: Shape | undefined): unknown => {
  if (shape === undefined || shape.size === 0) return value
  if (Array.isArray(value)) return value.map((element) => keep(element, shape))
  if (!Predicate.isObject(value)) return value
  const fields = Object.entries(value).filter(([name]) => shape.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, keep(field, shape.get(name))]))
}

/** Leaves out the fields that only one of two events has; in lists, the fields that only elements of one of them have. */
export const shared = <A extends object>(before: A, after: A): readonly [A, A] => {
  const [from, to] = [shapeOf(before), shapeOf(after)]
  // Every field of an event and of its records is optional.
  return [keep(before, to) as A, keep(after, from) as A]
}
