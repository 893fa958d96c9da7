/** Fills the empty fields of a record from another record. */
import * as Predicate from "effect/Predicate"

/** `null`, empty texts, empty lists, and records of only those are empty, at any depth. */
const isEmpty = (value: unknown): boolean => {
  const open: Array<unknown> = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (Predicate.isObject(next)) for (const inner of Object.values(next)) open.push(inner)
    else if (Array.isArray(next) ? next.length > 0 : next !== null && next !== undefined && next !== "") return false
  }
  return true
}

/** Returns the record, its empty fields filled from the other one, at any depth. */
export const fillEmpty = (record: object, other: object): object => {
  const result: Record<string, unknown> = { ...other, ...record }
  const open: Array<readonly [Record<string, unknown>, object, object]> = [[result, record, other]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [target, first, second] = next
    const known = new Map(Object.entries(first))
    // Names are already own fields of the target, so that assigning `__proto__` is safe.
    for (const [name, value] of Object.entries(second)) {
      const own = known.get(name)
      if (Predicate.isObject(own) && Predicate.isObject(value)) {
        const inner = { ...value, ...own }
        target[name] = inner
        open.push([inner, own, value])
      } else if (isEmpty(own) && !isEmpty(value)) target[name] = value
    }
  }
  return result
}
