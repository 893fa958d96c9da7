/** Arbitrary events for property tests, with absent, `null` and unknown fields, unknown enumeration values and unusual dates. */
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FastCheck from "fast-check"
import type * as ApiVersion from "./ApiVersion.js"
import * as HealthEvent from "./HealthEvent.js"
import * as EventsPage from "./EventsPage.js"

type Entry = readonly [string, unknown] | undefined

const names = FastCheck.oneof(
  FastCheck.constantFrom("__proto__", "constructor", "toString", "impactedResourcesCount", "subscriptionId"),
  FastCheck.string({ maxLength: 8 }),
)

/** Few, because an event has hundreds of records. */
const unknownFields = FastCheck.oneof(
  { arbitrary: FastCheck.constant<ReadonlyArray<Entry>>([]), weight: 5 },
  {
    arbitrary: FastCheck.array(FastCheck.tuple(names, FastCheck.jsonValue({ maxDepth: 2 })), { maxLength: 2 }),
    weight: 1,
  },
)

const struct = ({ propertySignatures }: SchemaAST.Objects): FastCheck.Arbitrary<unknown> => {
  const known = new Set(propertySignatures.map(({ name }) => String(name)))
  const fields = propertySignatures.map(({ name, type }): FastCheck.Arbitrary<Entry> => {
    const present = json(type).map((value): Entry => [String(name), value])
    return SchemaAST.isOptional(type) ? FastCheck.option(present, { freq: 4, nil: undefined }) : present
  })
  return FastCheck.tuple(FastCheck.tuple(...fields), unknownFields).map(([own, others]) =>
    // Unlike an assignment, `fromEntries` treats `__proto__` as any other field.
    Object.fromEntries(
      [...own, ...others.filter((entry) => entry && !known.has(entry[0]))].filter((entry) => entry !== undefined),
    ),
  )
}

const two = (min: number, max: number) => FastCheck.integer({ min, max }).map((part) => String(part).padStart(2, "0"))

/** Includes 0, 3 or 7 fraction digits, missing zones, the year 0001 and days that do not exist. */
const timestamps = FastCheck.oneof(
  { arbitrary: FastCheck.constant(""), weight: 1 },
  {
    arbitrary: FastCheck.tuple(
      FastCheck.oneof(FastCheck.integer({ min: 1970, max: 2100 }).map(String), FastCheck.constant("0001")),
      FastCheck.tuple(two(1, 12), two(1, 31), two(0, 23), two(0, 59), two(0, 59)),
      FastCheck.constantFrom("", ".120", ".1203530"),
      FastCheck.constantFrom("Z", "", "+05:30", "-08:00"),
    ).map(
      ([year, [month, day, ...time], fraction, zone]) => `${year}-${month}-${day}T${time.join(":")}${fraction}${zone}`,
    ),
    weight: 3,
  },
)

/** A text of an open enumeration has its known values as examples. */
const texts = (known: ReadonlyArray<string>): FastCheck.Arbitrary<string> =>
  known.length === 0
    ? FastCheck.string()
    : FastCheck.oneof(
        FastCheck.constantFrom(...known),
        FastCheck.constantFrom(...known.map((value) => value.toUpperCase())),
        FastCheck.string(),
      )

const knownValues = (ast: SchemaAST.String): ReadonlyArray<string> => {
  const examples = SchemaAST.resolve(ast)?.["examples"]
  return Array.isArray(examples) ? examples : []
}

const numbers = (check: SchemaAST.Check<number> | undefined): FastCheck.Arbitrary<number> => {
  const bounds = /from (-?\d+) to (-?\d+)/.exec(String(check?.annotations?.["expected"]))
  return bounds === null
    ? FastCheck.double({ noDefaultInfinity: true, noNaN: true })
    : FastCheck.integer({ min: Number(bounds[1]), max: Number(bounds[2]) })
}

const json = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  if (SchemaAST.isUnion(ast))
    return FastCheck.oneof(
      ...ast.types.map((type) => ({ arbitrary: json(type), weight: SchemaAST.isNull(type) ? 1 : 5 })),
    )
  if (SchemaAST.isArrays(ast)) {
    const [rest] = ast.rest
    return rest === undefined ? FastCheck.constant([]) : FastCheck.array(json(rest), { maxLength: 2 })
  }
  if (SchemaAST.isObjects(ast)) return struct(ast)
  if (SchemaAST.isNull(ast)) return FastCheck.constant(null)
  if (SchemaAST.isBoolean(ast)) return FastCheck.boolean()
  if (SchemaAST.isNumber(ast)) return numbers(ast.checks?.[0])
  if (SchemaAST.isString(ast))
    return SchemaAST.resolveIdentifier(ast) === "Timestamp" ? timestamps : texts(knownValues(ast))
  return FastCheck.jsonValue({ maxDepth: 2 })
}

/** JSON has no `-0` and no shared references. */
const arbitrary = <A>({ ast }: Schema.Constraint): FastCheck.Arbitrary<A> =>
  json(ast).map((value): A => JSON.parse(JSON.stringify(value)))

/** Arbitrary events of a version and vendor, as parsed from JSON. @category arbitraries @since 0.1.0 */
export const event = <V extends ApiVersion.ApiVersion>(
  version: V,
  options?: HealthEvent.Options,
): FastCheck.Arbitrary<HealthEvent.HealthEvent<V>> => arbitrary(HealthEvent.schema(version, options))

/** Arbitrary pages of a version and vendor, as parsed from JSON, with at most two events each. @category arbitraries @since 0.1.0 */
export const page = <V extends ApiVersion.ApiVersion>(
  version: V,
  options?: HealthEvent.Options,
): FastCheck.Arbitrary<EventsPage.EventsPage<V>> => arbitrary(EventsPage.schema(version, options))
