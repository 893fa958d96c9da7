/** Generates `src/internal/checks.ts`: functions that accept what the schemas accept. */
import { ApiVersion, AvailabilityStatus, HealthEvent } from "@vigil/health-schema"
import * as SchemaAST from "effect/SchemaAST"

const header = `/**
 * Generated from the schemas. After changing those, run \`npx vitest run health-schema/test/checks --update\`.
 *
 * These checks accept valid values only. The schema, which takes several times as long, decides about values that they reject.
 */
import { type Fields, isAbsent, isFlag, isListOf, isNumber, isRecord, isString, isText, isTime, isWhole } from "./checkField.js"
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

interface RecordCheck {
  readonly parameters: string
  readonly conditions: ReadonlyArray<string>
}

/** Fewer conditions are not worth a function. */
const minCommon = 10

const toFunction = (name: string, { conditions, parameters }: RecordCheck): string =>
  `\nconst ${name} = (${parameters}): boolean =>\n  ${conditions.join(" &&\n  ")}\n`

/** The name of a check without the version of its record. */
const baseOf = (name: string): string => name.replace(/\d{8}\w*$/, "")

/** One function per record. Versions of a record with many common conditions share a function. */
const toFunctions = (records: ReadonlyMap<string, RecordCheck>): string => {
  const versionsOf = (name: string) =>
    Array.from(records)
      .filter(([other]) => baseOf(other) === name)
      .map(([, record]) => record)
  const shared = new Map<string, ReadonlyArray<string>>()
  return Array.from(records, ([name, record]) => {
    const base = baseOf(name)
    const versions = versionsOf(base)
    const common = record.conditions
      .slice(1)
      .filter((one) => versions.every(({ conditions }) => conditions.includes(one)))
    if (versions.length < 2 || common.length < minCommon) return toFunction(name, record)
    const own = record.conditions.filter((one) => !common.includes(one))
    const call = `${base}Common(input${record.parameters.includes("support") ? ", support" : ""})`
    const commonCode = shared.has(base)
      ? ""
      : toFunction(`${base}Common`, { parameters: record.parameters.replace("unknown", "Fields"), conditions: common })
    shared.set(base, common)
    return `${commonCode}${toFunction(name, { ...record, conditions: [...own.slice(0, 1), call, ...own.slice(1)] })}`
  }).join("")
}

/** Generates one function per record and version, or for several versions with the same fields. */
export const generate = (): string => {
  const records = new Map<string, RecordCheck>()

  /** Adds the function of a record. Returns its name. */
  const addRecord = (ast: SchemaAST.Objects): string => {
    const name = `is${String(SchemaAST.resolveIdentifier(ast)).replaceAll(/\W/g, "")}`
    const parameters = dependsOnVendor(ast) ? "input: unknown, support: string" : "input: unknown"
    const conditions = ["isRecord(input)", ...ast.propertySignatures.flatMap(condition)]
    const record = { parameters, conditions }
    const isSame = ([other, known]: readonly [string, RecordCheck]) =>
      baseOf(other) === baseOf(name) && JSON.stringify(known) === JSON.stringify(record)
    const [same] = [...records].find(isSame) ?? []
    if (same !== undefined) return same
    if (JSON.stringify(records.get(name) ?? record) !== JSON.stringify(record)) unsupported(ast)
    records.set(name, record)
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
        const expected = String(ast.checks?.at(-1)?.annotations?.["expected"])
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

  const status = addElement(AvailabilityStatus.AvailabilityStatus.ast)

  return `${header}${toFunctions(records)}
/** The checks of events, by version. \`support\` is the field \`enable<vendor>Support\`. */
export const checks: Readonly<Record<Version, (input: unknown, support: string) => boolean>> = {
${events.join("\n")}
}

export { ${status} }
`
}
