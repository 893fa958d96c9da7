/** Equality of parsed JSON, in which `null` means absent. */

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

const own = (value: Fields, key: string): unknown => (Object.hasOwn(value, key) ? (value[key] ?? null) : null)

/** What has to be equal for two objects to be; nothing when they can't be. */
const parts = (a: Fields, b: Fields): ReadonlyArray<readonly [unknown, unknown]> | undefined => {
  if (Array.isArray(a) !== Array.isArray(b)) return undefined
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length ? a.map((value, index) => [value, b[index]]) : undefined
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [own(a, key), own(b, key)])
}

/** Whether two values are the same JSON: in any order of keys, `null` like absent, however deep. */
export const equal = (a: unknown, b: unknown): boolean => {
  const open: Array<readonly [unknown, unknown]> = [[a ?? null, b ?? null]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair
    if (Object.is(one, other)) continue
    const inner = isObject(one) && isObject(other) ? parts(one, other) : undefined
    if (inner === undefined) return false
    for (const next of inner) open.push(next)
  }
  return true
}
