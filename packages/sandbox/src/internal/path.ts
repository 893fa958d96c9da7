/** Paths with parameters, as routes and OpenAPI documents write them. */

/** The decoded segments of a path. Nothing if a percent-encoding is invalid. */
const segments = (path: string): ReadonlyArray<string> | undefined => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The path of a request target, without its query. */
export const ofTarget = (target: string): string => target.split(/[?#]/, 1)[0] ?? ""

/** The query of a request target. */
export const queryOf = (target: string): URLSearchParams => {
  const start = target.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : target.slice(start + 1))
}

const isParameter = (name: string): boolean => /^[:*]/.test(name)

/** With the segments that `*name` stands for as one, if the shape has such a parameter. */
const joined = (shape: ReadonlyArray<string>, found: ReadonlyArray<string>): ReadonlyArray<string> => {
  const many = shape.findIndex((name) => name.startsWith("*"))
  const end = many + 1 + found.length - shape.length
  return many === -1 || end <= many
    ? found
    : [...found.slice(0, many), found.slice(many, end).join("/"), ...found.slice(end)]
}

/**
 * The decoded parameters of a path that has the shape; nothing if it has another one. In a shape, `:name` stands for one segment
 * and `*name` for one or more. A parameter is never empty.
 */
export const match = (shape: string, path: string): Readonly<Record<string, string>> | undefined => {
  const expected = shape.split("/")
  const found = joined(expected, segments(path) ?? [])
  if (found.length !== expected.length) return undefined
  const pairs = expected.map((name, index) => ({ name, value: found[index] ?? "" }))
  return pairs.every(({ name, value }) => (isParameter(name) ? value !== "" : value === name))
    ? Object.fromEntries(pairs.filter(({ name }) => isParameter(name)).map(({ name, value }) => [name.slice(1), value]))
    : undefined
}

/** The shape as OpenAPI writes it, and the names of its parameters. */
export const template = (shape: string): { readonly path: string; readonly params: ReadonlyArray<string> } => {
  const names = shape.split("/")
  return {
    path: names.map((name) => (isParameter(name) ? `{${name.slice(1)}}` : name)).join("/"),
    params: names.filter(isParameter).map((name) => name.slice(1)),
  }
}
