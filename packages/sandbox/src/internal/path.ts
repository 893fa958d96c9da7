/** Paths with named segments: what they are called in a request, decoded. */

/** The texts of a path's segments; nothing when one is not encoded as it must be. */
const segments = (path: string): ReadonlyArray<string> | undefined => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The path of a request target, without its query. */
export const ofTarget = (target: string): string => target.split(/[?#]/, 1)[0] ?? ""

/**
 * Whether the path has the shape, and the texts of the segments that begin with a colon there. Each is one segment: a slash in it
 * must be encoded.
 */
export const match = (shape: string, path: string): Readonly<Record<string, string>> | undefined => {
  const expected = shape.split("/")
  const found = segments(path)
  if (found?.length !== expected.length) return undefined
  const pairs = expected.map((name, index) => ({ name, value: found[index] ?? "" }))
  return pairs.every(({ name, value }) => (name.startsWith(":") ? value !== "" : value === name))
    ? Object.fromEntries(
        pairs.filter(({ name }) => name.startsWith(":")).map(({ name, value }) => [name.slice(1), value]),
      )
    : undefined
}
