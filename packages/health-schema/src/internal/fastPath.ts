/**
 * The fast path of decoding: a schema's AST, compiled once into closures that say yes to what they are sure of. A no means
 * no more than "ask the schema", which words the reason, and has the last word.
 */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

/** Says yes when a value surely is what the schema accepts, and decodes to itself. */
type Sure = (value: unknown) => boolean

const never: Sure = () => false

/** The parse options do not matter here: no filter of these schemas looks at them, and a no is asked again. */
const options: SchemaAST.ParseOptions = {}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const refinement = (ast: SchemaAST.Refinement): Sure => {
  const from = compile(ast.from)
  return (value) => from(value) && Option.isNone(ast.filter(value, options, ast))
}

const union = (ast: SchemaAST.Union): Sure => {
  const members = ast.types.map(compile)
  const [first = never, second = never] = members
  return members.length === 2
    ? (value) => first(value) || second(value)
    : (value) => members.some((member) => member(value))
}

/** Lists of one kind of element; a tuple is left to the schema. */
const list = (ast: SchemaAST.TupleType): Sure => {
  const [rest, ...others] = ast.rest
  if (rest === undefined || others.length > 0 || ast.elements.length > 0) return never
  const element = compile(rest.type)
  return (value) => {
    if (!Array.isArray(value)) return false
    for (let index = 0; index < value.length; index++) if (!element(value[index])) return false
    return true
  }
}

/** Maps from text to anything; other index signatures are left to the schema. */
const map = (ast: SchemaAST.TypeLiteral): Sure => {
  const [signature, ...others] = ast.indexSignatures
  const open =
    signature !== undefined &&
    others.length === 0 &&
    ast.propertySignatures.length === 0 &&
    SchemaAST.isStringKeyword(signature.parameter) &&
    SchemaAST.isUnknownKeyword(signature.type)
  return open ? isObject : never
}

/**
 * Records. An optional field may be absent, and not present as `undefined`, which JSON does not have. Fields that the
 * schema does not know are nobody's business: the input itself is the result.
 */
const struct = (ast: SchemaAST.TypeLiteral): Sure => {
  if (ast.indexSignatures.length > 0) return map(ast)
  const fields = ast.propertySignatures.map(({ isOptional, name, type }) => ({
    name: String(name),
    isOptional,
    sure: typeof name === "string" ? compile(type) : never,
  }))
  return (value) => {
    if (!isObject(value)) return false
    for (const { isOptional, name, sure } of fields) {
      const field = value[name]
      if (field === undefined ? !isOptional || name in value : !sure(field)) return false
    }
    return true
  }
}

/** Compiles what it knows; what it does not know is never sure. */
export const compile = (ast: SchemaAST.AST): Sure => {
  switch (ast._tag) {
    case "StringKeyword":
      return (value) => typeof value === "string"
    case "NumberKeyword":
      return (value) => typeof value === "number"
    case "BooleanKeyword":
      return (value) => typeof value === "boolean"
    case "UnknownKeyword":
      return () => true
    case "Literal":
      return (value) => value === ast.literal
    case "Refinement":
      return refinement(ast)
    case "Union":
      return union(ast)
    case "TupleType":
      return list(ast)
    case "TypeLiteral":
      return struct(ast)
    default:
      return never
  }
}
