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
