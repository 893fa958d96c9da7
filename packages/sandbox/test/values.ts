/** Values that a schema accepts, and those with one change that it may refuse. */
import * as SchemaAST from "effect/SchemaAST"
import * as FastCheck from "fast-check"

const times = [
  "",
  "2025-05-13T15:43:48.1203530Z",
  "2025-05-13T15:43:48",
  "2025-02-30 23:59:60+05:30",
  "0001-01-01T00:00:00",
  "2025-05-13",
]

/** Times with one other character. */
const otherTimes = FastCheck.tuple(
  FastCheck.constantFrom(...times),
  FastCheck.nat({ max: 30 }),
  FastCheck.constantFrom("", "0", "3", "6", "9", "T", "Z", "z", ".", "-", " ", "\n", "٣"),
).map(([text, at, character]) => text.slice(0, at) + character + text.slice(at + 1))

const edges = [-(2 ** 31) - 1, -(2 ** 31), -1, -0.5, 0, 1, 1.5, 23, 24, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e21, 1e300]

/** The unit `binary` of fast-check takes two seconds to build. */
const character = FastCheck.integer({ min: 0, max: 0xd7_ff }).map((code) => String.fromCharCode(code))

const texts = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  const examples: unknown = SchemaAST.resolve(ast)?.["examples"]
  if (SchemaAST.resolveIdentifier(ast) === "Timestamp") return FastCheck.constantFrom(...times)
  return FastCheck.oneof(
    FastCheck.string({ unit: character }),
    FastCheck.constantFrom(...(Array.isArray(examples) ? examples : [""])),
  )
}

/** Valid values. */
const values = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  if (SchemaAST.isUnion(ast)) return FastCheck.oneof(...ast.types.map(values))
  if (SchemaAST.isArrays(ast)) return FastCheck.array(FastCheck.oneof(...ast.rest.map(values)), { maxLength: 2 })
  if (SchemaAST.isObjects(ast)) {
    const required = ast.propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type)).map(({ name }) => name)
    const fields = Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [name, values(type)]))
    return FastCheck.record(fields, { requiredKeys: required.map(String) })
  }
  if (SchemaAST.isLiteral(ast)) return FastCheck.constant(ast.literal)
  if (SchemaAST.isNull(ast)) return FastCheck.constant(null)
  if (SchemaAST.isBoolean(ast)) return FastCheck.boolean()
  // In the range of every number of the schemas.
  if (SchemaAST.isNumber(ast)) return FastCheck.integer({ min: 0, max: 23 })
  return SchemaAST.isString(ast) ? texts(ast) : FastCheck.jsonValue({ maxDepth: 2 })
}

const strange = FastCheck.oneof(
  FastCheck.constantFrom<unknown>("Infinity", "NaN", "1", "true", "", true, null, [], {}, [null], [[]], [7], {
    value: [],
  }),
  FastCheck.constantFrom(...edges),
  otherTimes,
  FastCheck.jsonValue({ maxDepth: 1 }),
)

type Path = ReadonlyArray<string>

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

const paths = (value: unknown, at: Path = []): ReadonlyArray<Path> =>
  isContainer(value) ? [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))] : [at]

/** Replaces the value at a path. JSON has no `undefined`: a field is then removed. */
const replace = (value: unknown, [key, ...rest]: Path, other: (before: unknown) => unknown): unknown => {
  if (key === undefined) return other(value)
  const entries = Object.entries(Object(value)).map(([name, inner]) => [
    name,
    name === key ? replace(inner, rest, other) : inner,
  ])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

/** Valid values, and two thirds with one value replaced, removed or added: at any place, and each as likely. */
export const almost = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> =>
  FastCheck.tuple(
    values(ast),
    FastCheck.option(FastCheck.nat(), { freq: 2 }),
    strange,
    FastCheck.constantFrom("replace", "replace", "remove", "add"),
  ).map(([value, place, other, how]): unknown => {
    const all = paths(value)
    const changed = (before: unknown) =>
      how === "remove" ? undefined : how === "add" && isContainer(before) ? { ...before, unheard: other } : other
    const sent = place === null ? value : replace(value, all[place % all.length] ?? [], changed)
    return JSON.parse(JSON.stringify(sent ?? null))
  })
