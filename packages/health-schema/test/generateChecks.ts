/** Generates `src/internal/checks.ts`: functions that accept what the schemas accept. */
import { ApiVersion, HealthEvent } from "@vigil/health-schema"
import * as SchemaAST from "effect/SchemaAST"

const header = `/**
 * Generated from the schemas. After changing those, run \`npx vitest run --update health-schema/test/checks\`.
 *
 * These checks accept valid values only. The schema, which takes several times as long, decides about values that they reject.
 */
import { isAbsent, isFlag, isListOf, isNumber, isRecord, isString, isText, isTime, isWhole } from "./checkField.js"
import type { Version } from "./versions.js"
`

/** The name of this field depends on the vendor, so the checks receive it as an argument. */
const supportField = "enableVendorSupport"

const dependsOnVendor = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast)
    ? ast.types.some(dependsOnVendor)
    : SchemaAST.isObjects(ast) &&
      ast.propertySignatures.some(({ name, type }) => name === supportField || dependsOnVendor(type))

const unsupported = (ast: SchemaAST.AST): never => {
  throw new Error(`Cannot generate a check of ${String(ast)}`)
}

/** Generates one function per record and version. */
export const generate = (): string => {
  const records = new Map<string, string>()

  /** Adds the function of a record. Returns its name. */
  const addRecord = (ast: SchemaAST.Objects): string => {
    const name = `is${String(SchemaAST.resolveIdentifier(ast)).replaceAll(/\W/g, "")}`
    const parameters = dependsOnVendor(ast) ? "input: unknown, support: string" : "input: unknown"
    const conditions = ["isRecord(input)", ...ast.propertySignatures.flatMap(condition)]
    const code = `\nconst ${name} = (${parameters}): boolean =>\n  ${conditions.join(" &&\n  ")}\n`
    if ((records.get(name) ?? code) !== code) unsupported(ast)
    records.set(name, code)
    return name
  }

  const addElement = (ast: SchemaAST.AST = SchemaAST.never): string =>
    SchemaAST.isObjects(ast) ? addRecord(ast) : SchemaAST.isString(ast) ? "isString" : unsupported(ast)

  /** The condition under which a field is valid. \`field\` is the value, the name and the record. */
  const check = (ast: SchemaAST.AST, field: string): string => {
    switch (ast._tag) {
      case "String":
        return SchemaAST.resolveIdentifier(ast) === "Timestamp" ? `isTime(${field})` : `isText(${field})`
      case "Boolean":
        return `isFlag(${field})`
      case "Arrays":
        if (ast.elements.length > 0 || ast.rest.length !== 1) return unsupported(ast)
        return `isListOf(${field}, ${addElement(ast.rest[0])})`
      case "Number": {
        const expected = String(ast.checks?.[0].annotations?.["expected"])
        if (expected === "a finite number") return `isNumber(${field})`
        const [, minimum, maximum] = /^a whole number from (-?\d+) to (-?\d+)$/.exec(expected) ?? []
        return maximum === undefined ? unsupported(ast) : `isWhole(${field}, ${minimum}, ${maximum})`
      }
      default:
        return unsupported(ast)
    }
  }

  const condition = ({ name, type }: SchemaAST.PropertySignature): ReadonlyArray<string> => {
    if (SchemaAST.isUnknown(type)) return []
    const key = name === supportField ? "support" : `"${String(name)}"`
    const [value, field] = [`input[${key}]`, `input[${key}], ${key}, input`]
    const [member, ...others] = SchemaAST.isUnion(type) ? type.types.filter((inner) => !SchemaAST.isNull(inner)) : []
    if (!SchemaAST.isOptional(type) || member === undefined || others.length > 0) return unsupported(type)
    if (!SchemaAST.isObjects(member)) return [check(member, field)]
    return [`(${addRecord(member)}(${value}${dependsOnVendor(member) ? ", support" : ""}) || isAbsent(${field}))`]
  }

  const events = ApiVersion.all.map((version) => `  "${version}": ${addElement(HealthEvent.schema(version).ast)},`)

  return `${header}${[...records.values()].join("")}
/** The checks of events, by version. \`support\` is the field \`enable<vendor>Support\`. */
export const checks: Readonly<Record<Version, (input: unknown, support: string) => boolean>> = {
${events.join("\n")}
}
`
}
