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

/** A plain record. Its fields are those that `for … in` shows, which are all of them where `JSON.parse` made it. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

const refinement = (ast: SchemaAST.Refinement): Sure => {
  const from = compile(ast.from)
  return (value) => from(value) && Option.isNone(ast.filter(value, options, ast))
}

const union = (ast: SchemaAST.Union): Sure => {
  const members = ast.types.map(compile)
  return (value) => members.some((member) => member(value))
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

/** How a field of a record is looked at: most are texts or `null`, and need no more than that. */
interface Field {
  readonly isNullable: boolean
  readonly type: "string" | "number" | "boolean" | undefined
  readonly sure: Sure
}

const types = { StringKeyword: "string", NumberKeyword: "number", BooleanKeyword: "boolean" } as const

const field = (ast: SchemaAST.AST): Field => {
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const [only, ...others] = members.filter((member) => !isNull(member))
  const isNullable = members.some((member) => isNull(member) || SchemaAST.isUnknownKeyword(member))
  if (only === undefined || others.length > 0) return { isNullable, type: undefined, sure: compile(ast) }
  return {
    isNullable,
    type: only._tag in types ? types[only._tag as keyof typeof types] : undefined,
    sure: compile(only),
  }
}

/**
 * Records. What is there is looked at, in its own order, which costs half of asking for every field by name. An optional field
 * may be absent, and not present as `undefined`, which JSON does not have. Fields that the schema does not know are nobody's
 * business: the input itself is the result.
 */
const struct = (ast: SchemaAST.TypeLiteral): Sure => {
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, field(type)]))
  const required = ast.propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  if (ast.indexSignatures.length > 0 || ast.propertySignatures.some(({ name }) => typeof name !== "string"))
    return never
  return (value) => {
    if (!isRecord(value)) return false
    for (const name in value) {
      const known = fields.get(name)
      if (known === undefined) continue
      const found = value[name]
      if (found === undefined) return false
      if (found === null ? !known.isNullable : typeof found !== known.type && !known.sure(found)) return false
    }
    for (const name of required) if (!(name in value)) return false
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
