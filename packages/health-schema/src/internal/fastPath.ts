/** Compiles a schema into closures that accept only valid values. Values that they reject are decoded with the schema. */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

type Check = (value: unknown) => boolean

const never: Check = () => false

/** No filter of these schemas reads the parse options. */
const options: SchemaAST.ParseOptions = {}

/** `for … in` yields all fields of plain objects only. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

const list = (ast: SchemaAST.TupleType): Check => {
  const [rest, ...others] = ast.rest
  if (rest === undefined || others.length > 0 || ast.elements.length > 0) return never
  const element = compile(rest.type)
  return (value) => {
    if (!Array.isArray(value)) return false
    for (let index = 0; index < value.length; index++) if (!element(value[index])) return false
    return true
  }
}

const types = { StringKeyword: "string", NumberKeyword: "number", BooleanKeyword: "boolean" } as const

/** Most fields are nullable texts, for which `type` suffices. */
const field = (ast: SchemaAST.AST) => {
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const [only, ...others] = members.filter((member) => !isNull(member))
  const isSimple = only !== undefined && others.length === 0
  return {
    isNullable: members.some((member) => isNull(member) || SchemaAST.isUnknownKeyword(member)),
    type: isSimple && only._tag in types ? types[only._tag as keyof typeof types] : undefined,
    check: compile(isSimple ? only : ast),
  }
}

/** Iterating over present fields costs half of reading all known ones. Unknown fields are accepted, because the input is the result. */
const struct = (ast: SchemaAST.TypeLiteral): Check => {
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, field(type)]))
  const required = ast.propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  if (ast.indexSignatures.length > 0 || ast.propertySignatures.some(({ name }) => typeof name !== "string"))
    return never
  return (value) => {
    if (!isRecord(value)) return false
    for (const name in value) {
      const known = fields.get(name)
      if (known === undefined) continue
      const fieldValue = value[name]
      if (fieldValue === undefined) return false
      if (fieldValue === null ? !known.isNullable : typeof fieldValue !== known.type && !known.check(fieldValue))
        return false
    }
    for (const name of required) if (!(name in value)) return false
    return true
  }
}

/** Compiles the schemas of this package. Other kinds accept nothing. */
export const compile = (ast: SchemaAST.AST): Check => {
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
    case "Refinement": {
      const from = compile(ast.from)
      return (value) => from(value) && Option.isNone(ast.filter(value, options, ast))
    }
    case "Union": {
      const members = ast.types.map(compile)
      return (value) => members.some((member) => member(value))
    }
    case "TupleType":
      return list(ast)
    case "TypeLiteral":
      return struct(ast)
    default:
      return never
  }
}
