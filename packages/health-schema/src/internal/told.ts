/** What records say: `null`, an empty text or list, and a record of nothing but those say nothing. */

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a value says something, however deep. */
const isTold = (value: unknown): boolean => {
  const open: Array<unknown> = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (isFields(next)) for (const inner of Object.values(next)) open.push(inner)
    else if (Array.isArray(next) ? next.length > 0 : next !== null && next !== undefined && next !== "") return true
  }
  return false
}

/** Each field as the first record tells it that says something of it. */
export const firstTold = (records: ReadonlyArray<object>): object => {
  const fields = new Map<string, unknown>()
  const told = new Set<string>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (told.has(name)) continue
      if (isTold(value)) told.add(name)
      if (told.has(name) || !fields.has(name)) fields.set(name, value)
    }
  return Object.fromEntries(fields)
}

/** The record, and of the other what it does not tell; field by field where both have a record, however deep. */
export const fill = (record: object, other: object): object => {
  const whole: Record<string, unknown> = { ...other, ...record }
  const open: Array<readonly [Record<string, unknown>, object, object]> = [[whole, record, other]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [target, first, second] = next
    const known = new Map(Object.entries(first))
    // Each name is a field of the target already, so that even `__proto__` is assigned like any other.
    for (const [name, value] of Object.entries(second)) {
      const own = known.get(name)
      if (isFields(own) && isFields(value)) {
        const inner = { ...value, ...own }
        target[name] = inner
        open.push([inner, own, value])
      } else if (!isTold(own) && isTold(value)) target[name] = value
    }
  }
  return whole
}
