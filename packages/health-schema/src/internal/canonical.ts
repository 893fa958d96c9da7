/** Compares and groups parsed JSON by key. */

/** Returns the text to compare instead of another text; empty if that means absent. */
export type Fold = (text: string) => string

/** How to compare the texts in fields. A fold applies to all texts in a list. */
export interface Rules {
  readonly [field: string]: Fold | Rules
}

/** Names such as `constructor` have no rule. */
export const ruleOf = (rule: Fold | Rules | undefined, field: string): Fold | Rules | undefined =>
  typeof rule === "object" && Object.hasOwn(rule, field) ? rule[field] : undefined

interface Value {
  readonly value: unknown
  readonly rule: Fold | Rules | undefined
  /** The name of a field, as JSON with a colon. */
  readonly prefix: string | undefined
}

interface End {
  readonly text: string
  /** The number of parts before the list or record, and after its start. */
  readonly before: number
  readonly start: number
  readonly isField: boolean
}

/**
 * Returns the same text for equal JSON only: the order of fields does not matter, and a field that is `null`, an empty text, an empty list or a
 * record of only such fields equals an absent one. Not recursive, because JSON may be deeply nested.
 */
export const canonical = (value: unknown, rule?: Fold | Rules): string => {
  const parts: Array<string> = []
  const open: Array<Value | End> = [{ value, rule, prefix: "" }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ("text" in next) {
      if (next.isField && parts.length === next.start) parts.length = next.before
      else parts.push(next.text)
      continue
    }
    const { prefix, rule, value } = next
    if (typeof value === "object" && value !== null) {
      const before = parts.length
      const isList = Array.isArray(value)
      parts.push(`${prefix ?? ""}${isList ? "[" : "{"}`)
      open.push({ text: isList ? "]," : "},", before, start: parts.length, isField: prefix !== undefined })
      if (isList) for (const element of value.toReversed()) open.push({ value: element, rule, prefix: undefined })
      else
        for (const [name, field] of Object.entries(value).toSorted(([a], [b]) => (a < b ? 1 : -1)))
          open.push({ value: field, rule: ruleOf(rule, name), prefix: `${JSON.stringify(name)}:` })
      continue
    }
    const text = typeof value === "string" && typeof rule === "function" ? rule(value) : (value ?? "")
    if (text !== "") parts.push(`${prefix ?? ""}${typeof text === "string" ? JSON.stringify(text) : String(text)},`)
    else if (prefix === undefined) parts.push(typeof value === "string" ? `"",` : "null,")
  }
  return parts.join("")
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
