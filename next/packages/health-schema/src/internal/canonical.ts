/** Compares and groups parsed JSON by key. */

/**
 * Returns the same text for equal JSON only: `null` equals absent, and the order of keys does not matter. Not recursive, because JSON may
 * be deeply nested.
 */
export const canonical = (value: unknown): string => {
  let text = ""
  // A stack of values and finished texts.
  const open: Array<string | readonly [value: unknown]> = [[value]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      text += next
      continue
    }
    const [current] = next
    if (Array.isArray(current)) {
      text += "["
      open.push("],")
      for (const element of current.toReversed()) open.push([element])
    } else if (typeof current === "object" && current !== null) {
      const fields = Object.entries(current).filter(([, field]) => field !== null && field !== undefined)
      text += "{"
      open.push("},")
      for (const [key, field] of fields.toSorted(([a], [b]) => (a < b ? 1 : -1)))
        open.push([field], `${JSON.stringify(key)}:`)
    } else text += `${typeof current === "string" ? JSON.stringify(current) : String(current ?? null)},`
  }
  return text
}

/** Groups elements by key, in the order of first appearance. */
export const groupBy = <A, K>(all: Iterable<A>, keyOf: (element: A) => K): Map<K, [A, ...Array<A>]> => {
  const groups = new Map<K, [A, ...Array<A>]>()
  for (const element of all) {
    const key = keyOf(element)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [element])
    else group.push(element)
  }
  return groups
}
