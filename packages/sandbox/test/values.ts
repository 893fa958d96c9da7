/** Values that a schema accepts, and those with one change that it may refuse. */
import * as SchemaAST from "effect/SchemaAST"
import * as FastCheck from "fast-check"

/** Texts in the form of a date-time, some with one wrong character. */
const times = FastCheck.tuple(
  FastCheck.constantFrom(
    "",
    "2025-05-13T15:43:48.1203530Z",
    "2025-05-13T15:43:48",
    "2025-02-30 23:59:60+05:30",
    "0001-01-01T00:00:00",
    "2025-05-13",
  ),
  FastCheck.nat({ max: 30 }),
  FastCheck.constantFrom("", "", "", "0", "3", "6", "9", "T", "Z", "z", ".", "-", " ", "\n", "٣"),
).map(([text, at, character]) => (character === "" ? text : text.slice(0, at) + character + text.slice(at + 1)))

const edges = [-(2 ** 31) - 1, -(2 ** 31), -1, -0.5, 0, 1, 1.5, 23, 24, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e21, 1e300]

const texts = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  const examples: unknown = SchemaAST.resolve(ast)?.["examples"]
  if (SchemaAST.resolveIdentifier(ast) === "Timestamp") return times
  return FastCheck.oneof(
    FastCheck.string({ unit: "binary" }),
    FastCheck.constantFrom(...(Array.isArray(examples) ? examples : [""])),
  )
}

/** Values of the right types. Numbers and times may be invalid. */
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
  if (SchemaAST.isNumber(ast))
    return FastCheck.oneof(FastCheck.integer({ min: 0, max: 23 }), FastCheck.constantFrom(...edges))
  return SchemaAST.isString(ast) ? texts(ast) : FastCheck.jsonValue({ maxDepth: 2 })
}

const strange = FastCheck.oneof(
  FastCheck.constantFrom<unknown>("Infinity", "NaN", "1", "true", "", true, null, [], {}, [null], [[]], [7], {
    value: [],
  }),
  FastCheck.constantFrom(...edges),
  FastCheck.jsonValue({ maxDepth: 1 }),
)

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Replaces, adds or removes one value, `place` steps into the value. */
const change = (value: unknown, place: number, other: unknown): unknown => {
  const keys = isContainer(value) ? Object.keys(value) : []
  const step = place % (keys.length + 2)
  const key = keys[step] ?? "unheard"
  if (!isContainer(value) || step === keys.length) return other
  const before: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
  const after = isContainer(before) && place % 3 > 0 ? change(before, Math.floor(place / 7), other) : other
  if (Array.isArray(value)) return step < keys.length ? value.with(step, after) : [...value, other]
  // JSON has no `undefined`: the field is then removed.
  return { ...value, [key]: place % 5 === 0 ? undefined : after }
}

/** Values of a schema, half of them with one change, as parsed from JSON. */
export const almost = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> =>
  FastCheck.tuple(values(ast), FastCheck.option(FastCheck.nat(), { freq: 2 }), strange).map(
    ([value, place, other]): unknown =>
      JSON.parse(JSON.stringify(place === null ? value : change(value, place, other))),
  )
