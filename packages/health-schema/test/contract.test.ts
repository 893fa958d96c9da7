/** Every cell of the tables of the document: field × {absent, null, valid, invalid} × version. */
import { readFileSync } from "node:fs"
import { ApiVersion, Enumerations, ErrorResponse, EventsPage, HealthEvent } from "@vigil/health-schema"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"

const states = ["absent", "null", "valid", "invalid"] as const
type State = (typeof states)[number]

interface Field {
  readonly type: string
  readonly versions?: ReadonlyArray<ApiVersion.Known>
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
}

interface Contract {
  /** The number of cells: fields × states × versions, counted in the document. */
  readonly cells: number
  readonly versions: ReadonlyArray<ApiVersion.Known>
  readonly enumerations: Readonly<
    Record<
      string,
      ReadonlyArray<string | { readonly value: string; readonly versions: ReadonlyArray<ApiVersion.Known> }>
    >
  >
  readonly records: Readonly<
    Record<
      string,
      {
        readonly at: string | null
        readonly versions?: ReadonlyArray<ApiVersion.Known>
        readonly fields: Readonly<Record<string, Field>>
      }
    >
  >
}

const contract: Contract = JSON.parse(readFileSync(new URL("contract.json", import.meta.url), "utf8"))

const values = (name: string, version: ApiVersion.Known) =>
  (contract.enumerations[name] ?? []).flatMap((entry) =>
    typeof entry === "string" ? [entry] : entry.versions.includes(version) ? [entry.value] : [],
  )

const dates = {
  valid: ["2025-05-13T15:43:48.1203530Z", "2025-05-13T15:43:48", "0001-01-01T00:00:00", "2025-02-30T23:59:60Z", ""],
  invalid: ["7/24/2020", "yesterday", "1", 1_747_000_000, {}],
}

/** Valid and invalid values of a type. */
const examples = (
  { max = 2 ** 31 - 1, min = -(2 ** 31), type }: Field,
  version: ApiVersion.Known,
): { readonly valid: ReadonlyArray<unknown>; readonly invalid: ReadonlyArray<unknown> } => {
  const [kind = "", name = ""] = type.split(":")
  switch (kind) {
    case "string":
      return { valid: ["text", "", "<b>\u001b[0m</b>"], invalid: [7, true, {}, []] }
    case "boolean":
      return { valid: [true, false], invalid: ["true", 0, {}] }
    case "int32":
      return { valid: [min, 0, max], invalid: [min - 1, max + 1, 1.5, "1", "Infinity", true] }
    case "double":
      return { valid: [0, 1.25, -1e21], invalid: ["1", "NaN", true, []] }
    case "date-time":
      return dates
    case "enum":
      return {
        valid: [...values(name, version), values(name, version)[0]?.toLowerCase(), "Unheard of"],
        invalid: [7, []],
      }
    case "enum[]":
      return { valid: [[], values(name, version), ["Unheard of"]], invalid: ["x", {}, [7], [null]] }
    case "string[]":
      return { valid: [[], ["a", "b"]], invalid: ["x", {}, [7], [null]] }
    case "record":
      return { valid: [{}, { unknown: 1 }], invalid: ["x", 7, [], true] }
    case "record[]":
      return { valid: [[], [{}, { unknown: 1 }]], invalid: [{}, "x", [7], [null], [[]]] }
    case "map":
      // Services send any JSON here (field notes, "Payload oddities").
      return { valid: [{}, { a: { b: [1, "False", null] } }], invalid: ["x", 7, false, [], [{ a: [null] }]] }
    default:
      return { valid: ["text", [{ code: "A" }]], invalid: [7, {}, true] }
  }
}

/** A record in its place in an event: `at` is the path, with `[]` for lists. */
const place = (at: string, record: object): object =>
  at === ""
    ? record
    : at.split(".").reduceRight<object>((inner, step) => {
        const name = step.replace("[]", "")
        return { [name]: step === name ? inner : [inner] }
      }, record)

/** What the JSON Schema of a schema says of a value. */
const byJsonSchema = (schema: Schema.Constraint): ((input: unknown) => boolean) => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  return new Ajv2020({ strict: false }).compile({ ...root, $defs: definitions })
}

const isErrorResponse = Schema.is(ErrorResponse.ErrorResponse)

const jsonSchemas = {
  ErrorResponse: byJsonSchema(ErrorResponse.ErrorResponse),
  events: new Map(contract.versions.map((version) => [version, byJsonSchema(EventsPage.schema(version))])),
  event: new Map(contract.versions.map((version) => [version, byJsonSchema(HealthEvent.schema(version))])),
}

/** Whether a record is valid in its place, by the decoder and by JSON Schema. */
const verdicts = (name: string, version: ApiVersion.Known, record: object, field: string) => {
  if (name === "ErrorResponse") return [isErrorResponse(record), jsonSchemas.ErrorResponse(record)]
  if (name === "events") {
    const page = field === "value" ? record : { value: [], ...record }
    const decoded = EventsPage.decode(version)(page)
    const isValid = Result.isSuccess(decoded) && decoded.success.invalid.length === 0
    return [isValid, jsonSchemas.events.get(version)?.(page)]
  }
  const event = place(contract.records[name]?.at ?? "", record)
  return [Result.isSuccess(HealthEvent.decode(version)(event)), jsonSchemas.event.get(version)?.(event)]
}

/** Whether a version defines a record, a field or a value. */
const isDefined = (version: ApiVersion.Known, { versions = [version] }: Pick<Field, "versions">) =>
  versions.includes(version)

/** Invalid values are accepted where the version does not define the field, and where services send any JSON. */
const isAccepted = (version: ApiVersion.Known, record: string, field: Field, state: State) => {
  const { required, type } = field
  if (state !== "invalid") return state === "valid" || required !== true
  return (
    type === "map" ||
    type === "any" ||
    !isDefined(version, field) ||
    !isDefined(version, contract.records[record] ?? {})
  )
}

const cells = contract.versions.flatMap((version) =>
  Object.entries(contract.records).flatMap(([record, { fields }]) =>
    Object.entries(fields).flatMap(([name, field]) =>
      states.map((state) => ({ version, record, name, field, state, id: `${version} ${record}.${name} ${state}` })),
    ),
  ),
)

it("covers every cell of the tables of the document", () => {
  expect([new Set(cells.map(({ id }) => id)).size, cells.length]).toEqual([contract.cells, contract.cells])
})

it.each(cells)("$id", ({ field, name, record, state, version }) => {
  const values = state === "null" ? [null] : state === "absent" ? [] : examples(field, version)[state]
  const inputs: ReadonlyArray<object> = state === "absent" ? [{}] : values.map((value) => ({ [name]: value }))
  const expected = isAccepted(version, record, field, state)
  expect(inputs.length).toBeGreaterThan(0)
  for (const input of inputs)
    expect([input, ...verdicts(record, version, input, name)]).toEqual([input, expected, expected])
})

/** The fields of the record at a place of the schema. */
const fieldsAt = (ast: SchemaAST.AST, steps: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return fieldsAt(ast.types.find((type) => !SchemaAST.isLiteral(type)) ?? ast, steps)
  if (SchemaAST.isArrays(ast) && ast.rest[0] !== undefined) return fieldsAt(ast.rest[0], steps)
  if (!SchemaAST.isObjects(ast)) return []
  const [step, ...rest] = steps
  if (step === undefined) return ast.propertySignatures.map(({ name }) => String(name))
  const next = ast.propertySignatures.find(({ name }) => name === step.replace("[]", ""))
  return next === undefined ? [] : fieldsAt(next.type, rest)
}

describe("the schema", () => {
  const records = contract.versions.flatMap((version) =>
    Object.entries(contract.records)
      .filter(([, record]) => record.at !== null && isDefined(version, record))
      .map(([name, { at, fields }]) => ({ version, name, at: at ?? "", fields })),
  )

  it.each(records)("has exactly the fields of $name in $version", ({ at, fields, version }) => {
    const expected = Object.entries(fields).filter(([, field]) => isDefined(version, field))
    const steps = at === "" ? [] : at.split(".")
    expect(fieldsAt(HealthEvent.schema(version).ast, steps).toSorted()).toEqual(
      expected.map(([name]) => name).toSorted(),
    )
  })

  it.each(contract.versions)("has exactly the enumeration values of %s", (version) => {
    const known = {
      EventLevelValues: Enumerations.EventLevel,
      LevelValues: Enumerations.Level,
      EventSourceValues: Enumerations.EventSource,
      EventStatusValues: Enumerations.EventStatus,
      EventTypeValues: HealthEvent.eventTypes(version),
      EventSubTypeValues: Enumerations.EventSubType,
      LinkTypeValues: Enumerations.LinkType,
      createdByType: Enumerations.CreatedByType,
      eventTags: Enumerations.EventTag,
    }
    expect(Object.keys(known).toSorted()).toEqual(Object.keys(contract.enumerations).toSorted())
    for (const [name, { known: own }] of Object.entries(known)) expect(own).toEqual(values(name, version))
  })

  it("has the versions of the document", () => {
    expect(ApiVersion.all).toEqual(contract.versions)
  })
})
