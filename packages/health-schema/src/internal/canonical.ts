/** Keys for comparing parsed JSON, and grouping by key. */

/**
 * Returns the same text for equal JSON, and different texts for different JSON. The order of keys does not matter, and `null` equals
 * absent. Not recursive: services may send deeply nested JSON.
 */
export const canonical = (value: unknown): string => {
  let text = ""
  // Values to write, last first. A string is text that is ready.
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

/** Groups elements by key, in the order in which the keys first appear. */
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
