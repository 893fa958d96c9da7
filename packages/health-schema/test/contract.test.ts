/** Every cell of the document's tables: field × {absent, null, right, wrong} × version, from a copy of the tables. */
import { readFileSync } from "node:fs"
import { ApiVersion, Enumerations, ErrorResponse, EventsPage, HealthEvent, Limits } from "@vigil/health-schema"
import * as Either from "effect/Either"
import * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"

const states = ["absent", "null", "right", "wrong"] as const
type State = (typeof states)[number]

interface Field {
  readonly type: string
  readonly only?: ApiVersion.Known
  readonly verdicts: Readonly<Record<ApiVersion.Known, Readonly<Record<State, "kept" | "refused">>>>
  readonly min?: number
  readonly max?: number
}

interface Contract {
  /** How many there are in all: fields × states × versions, counted in the document. */
  readonly cells: number
  readonly versions: ReadonlyArray<ApiVersion.Known>
  readonly enumerations: Readonly<
    Record<string, ReadonlyArray<string | { readonly value: string; readonly only: ApiVersion.Known }>>
  >
  readonly records: Readonly<
    Record<
      string,
      {
        readonly at: string | null
        readonly only?: ApiVersion.Known
        readonly fields: Readonly<Record<string, Field>>
      }
    >
  >
}

const contract: Contract = JSON.parse(readFileSync(new URL("contract.json", import.meta.url), "utf8"))

const values = (name: string, version: ApiVersion.Known) =>
  (contract.enumerations[name] ?? []).flatMap((entry) =>
    typeof entry === "string" ? [entry] : entry.only === version ? [entry.value] : [],
  )

/** Texts that a date-time may be, and those that no reader should take for one. */
const dates = {
  right: ["2025-05-13T15:43:48.1203530Z", "2025-05-13T15:43:48", "0001-01-01T00:00:00", "2025-02-30T00:00:00Z", ""],
  wrong: ["7/24/2020", "yesterday", "1", 1_747_000_000, {}],
}

/** Values of a type: all that it takes, and some of all that it does not. */
const examples = (
  { max = 2 ** 31 - 1, min = -(2 ** 31), type }: Field,
  version: ApiVersion.Known,
): { readonly right: ReadonlyArray<unknown>; readonly wrong: ReadonlyArray<unknown> } => {
  const [kind = "", name = ""] = type.split(":")
  switch (kind) {
    case "string":
      return { right: ["text", "", "<b>\u001b[0m</b>"], wrong: [7, true, {}, []] }
    case "boolean":
      return { right: [true, false], wrong: ["true", 0, {}] }
    case "int32":
      return { right: [min, 0, max], wrong: [min - 1, max + 1, 1.5, "1", true] }
    case "double":
      return { right: [0, 1.25, -1e21], wrong: ["1", true, []] }
    case "date-time":
      return dates
    case "enum":
      return {
        right: [...values(name, version), values(name, version)[0]?.toLowerCase(), "Unheard of"],
        wrong: [7, []],
      }
    case "enum[]":
      return { right: [[], values(name, version), ["Unheard of"]], wrong: ["x", {}, [7], [null]] }
    case "string[]":
      return { right: [[], ["a", "b"]], wrong: ["x", {}, [7], [null]] }
    case "record":
      return { right: [{}, { unknown: 1 }], wrong: ["x", 7, [], true] }
    case "record[]":
      return { right: [[], [{}, { unknown: 1 }]], wrong: [{}, "x", [7], [null], [[]]] }
    case "map":
      // Services send any JSON here (field notes, "Payload oddities").
      return { right: [{}, { a: { b: [1, "False", null] } }], wrong: ["x", 7, false, [], [{ a: [null] }]] }
    default:
      return { right: ["text", [{ code: "A" }]], wrong: [7, {}, true] }
  }
}

/** A record in its place in an event: `at` names the way, `[]` a list. */
const place = (at: string, record: object): object =>
  at === ""
    ? record
    : at.split(".").reduceRight<object>((inner, step) => {
        const name = step.replace("[]", "")
        return { [name]: step === name ? inner : [inner] }
      }, record)

/** Whether a record is accepted where it stands. */
const accepts = (name: string, version: ApiVersion.Known, record: object, field: string): boolean => {
  if (name === "ErrorResponse") {
    const [flat, nested] = [ErrorResponse.decode(record), ErrorResponse.decode({ error: record })].map(Either.isRight)
    if (flat !== nested) throw new Error("The two forms are not read alike.")
    return flat === true
  }
  if (name === "events")
    return Either.match(EventsPage.decode(version)(field === "value" ? record : { value: [], ...record }), {
      onLeft: () => false,
      onRight: ({ invalid }) => invalid.length === 0,
    })
  return Either.isRight(HealthEvent.decode(version)(place(contract.records[name]?.at ?? "", record)))
}

const cells = contract.versions.flatMap((version) =>
  Object.entries(contract.records).flatMap(([record, { fields }]) =>
    Object.entries(fields).flatMap(([name, field]) =>
      states.map((state) => ({ version, record, name, field, state, id: `${version} ${record}.${name} ${state}` })),
    ),
  ),
)

describe.each(contract.versions)("version %s", (version) => {
  it.each(cells.filter((cell) => cell.version === version))("$id", ({ field, name, record, state }) => {
    const inputs: ReadonlyArray<object> =
      state === "absent"
        ? [{}]
        : (state === "null" ? [null] : examples(field, version)[state]).map((value) => ({ [name]: value }))
    const verdict = (input: object) => (accepts(record, version, input, name) ? "kept" : "refused")
    expect(inputs.length).toBeGreaterThan(0)
    expect(inputs.map((input) => [input, verdict(input)])).toEqual(
      inputs.map((input) => [input, field.verdicts[version][state]]),
    )
  })
})

it("checks every cell of the document's tables, once", () => {
  const checked = new Set(cells.map(({ id }) => id))
  console.log(`${checked.size} of ${contract.cells} cells of the document's tables are checked`)
  expect([checked.size, cells.length]).toEqual([664, 664])
  expect(contract.cells).toBe(664)
})

/** The fields of the record at a place of the schema. */
const fieldsAt = (ast: SchemaAST.AST, steps: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return fieldsAt(ast.types.find((type) => !SchemaAST.isLiteral(type)) ?? ast, steps)
  if (SchemaAST.isTupleType(ast) && ast.rest[0] !== undefined) return fieldsAt(ast.rest[0].type, steps)
  if (!SchemaAST.isTypeLiteral(ast)) return []
  const [step, ...rest] = steps
  if (step === undefined) return ast.propertySignatures.map(({ name }) => String(name))
  const next = ast.propertySignatures.find(({ name }) => name === step.replace("[]", ""))
  return next === undefined ? [] : fieldsAt(next.type, rest)
}

describe("the schema", () => {
  const records = contract.versions.flatMap((version) =>
    Object.entries(contract.records)
      .filter(([, { at, only }]) => at !== null && (only === undefined || only === version))
      .map(([name, { at, fields }]) => ({ version, name, at: at ?? "", fields })),
  )

  it.each(records)("has the fields of $name in $version, and no others", ({ at, fields, version }) => {
    const expected = Object.entries(fields).filter(([, { only }]) => only === undefined || only === version)
    const steps = at === "" ? [] : at.split(".")
    expect(fieldsAt(HealthEvent.HealthEvent[version].ast, steps).toSorted()).toEqual(
      expected.map(([name]) => name).toSorted(),
    )
  })

  it.each(contract.versions)("knows the enumerations of %s, and no other values", (version) => {
    const known = {
      EventLevelValues: Enumerations.EventLevel,
      LevelValues: Enumerations.Level,
      EventSourceValues: Enumerations.EventSource,
      EventStatusValues: Enumerations.EventStatus,
      EventTypeValues: Enumerations.EventType[version],
      EventSubTypeValues: Enumerations.EventSubType,
      LinkTypeValues: Enumerations.LinkType,
      createdByType: Enumerations.CreatedByType,
      eventTags: Enumerations.EventTag,
    }
    expect(Object.keys(known).toSorted()).toEqual(Object.keys(contract.enumerations).toSorted())
    for (const [name, { known: own }] of Object.entries(known)) expect(own).toEqual(values(name, version))
  })

  it("has the limits of the document", () => {
    const priority = contract.records["properties"]?.fields["priority"]
    expect([Limits.highestPriority, Limits.lowestPriority]).toEqual([priority?.min, priority?.max])
    expect([Limits.defaultDaysBack, Limits.minApiVersionLength]).toEqual([3, 1])
  })

  it("is of the versions of the document", () => {
    expect(ApiVersion.all).toEqual(contract.versions)
  })
})
