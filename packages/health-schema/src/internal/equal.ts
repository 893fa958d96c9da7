/** Equality of parsed JSON. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Whether two values are the same JSON; the order of an object's keys does not matter. */
export const equal = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
}

/** The same, where `null` means absent. */
export const sameField = (a: unknown, b: unknown): boolean => equal(a ?? null, b ?? null)
