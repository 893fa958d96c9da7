/** Arbitrary events and statuses for property tests, with absent, `null` and unknown fields, unknown enumeration values and unusual dates. */
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FastCheck from "fast-check"
import type * as ApiVersion from "./ApiVersion.js"
import * as AvailabilityStatus from "./AvailabilityStatus.js"
import * as EventsPage from "./EventsPage.js"
import * as HealthEvent from "./HealthEvent.js"

/** No field of the schemas has such a name. */
const unknownNames = FastCheck.oneof(
  FastCheck.constantFrom("__proto__", "constructor", "toString", "impactedResourcesCount", "subscriptionId"),
  FastCheck.string({ maxLength: 8 }).map((name) => `x${name}`),
)

/** Few, because an event has hundreds of records. */
const unknownFields = FastCheck.oneof(
  { arbitrary: FastCheck.constant({}), weight: 5 },
  { arbitrary: FastCheck.dictionary(unknownNames, FastCheck.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }), weight: 1 },
)

const struct = ({ propertySignatures }: SchemaAST.Objects): FastCheck.Arbitrary<unknown> => {
  const fields = Object.fromEntries(propertySignatures.map(({ name, type }) => [String(name), json(type)]))
  const required = propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type)).map(({ name }) => String(name))
  return FastCheck.tuple(FastCheck.record(fields, { requiredKeys: required }), unknownFields).map(([own, others]) => ({
    ...own,
    ...others,
  }))
}

/** Includes 0, 3 or 7 fraction digits, missing zones, the year 0001 and days that do not exist. */
const timestamps = FastCheck.oneof(
  { arbitrary: FastCheck.constant(""), weight: 1 },
  {
    arbitrary: FastCheck.stringMatching(
      /^(0001|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](|\.120|\.1203530)(|Z|\+05:30|-08:00)$/,
    ),
    weight: 3,
  },
)

/** An open enumeration has its known values as examples. */
const texts = (ast: SchemaAST.String): FastCheck.Arbitrary<string> => {
  const examples: unknown = SchemaAST.resolve(ast)?.["examples"]
  const known = Array.isArray(examples) ? examples.map(String) : []
  if (SchemaAST.resolveIdentifier(ast) === "Timestamp") return timestamps
  return FastCheck.oneof(
    ...[known, known.map((value) => value.toUpperCase())]
      .filter(({ length }) => length > 0)
      .map((all) => FastCheck.constantFrom(...all)),
    FastCheck.string(),
  )
}

const numbers = (check: SchemaAST.Check<number> | undefined): FastCheck.Arbitrary<number> => {
  const [, min, max] = /from (-?\d+) to (-?\d+)/.exec(String(check?.annotations?.["expected"])) ?? []
  return max === undefined
    ? FastCheck.double({ noDefaultInfinity: true, noNaN: true })
    : FastCheck.integer({ min: Number(min), max: Number(max) })
}

const json = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  if (SchemaAST.isUnion(ast))
    return FastCheck.oneof(
      ...ast.types.map((type) => ({ arbitrary: json(type), weight: SchemaAST.isNull(type) ? 1 : 5 })),
    )
  if (SchemaAST.isArrays(ast)) return FastCheck.array(FastCheck.oneof(...ast.rest.map(json)), { maxLength: 2 })
  if (SchemaAST.isObjects(ast)) return struct(ast)
  if (SchemaAST.isNull(ast)) return FastCheck.constant(null)
  if (SchemaAST.isBoolean(ast)) return FastCheck.boolean()
  if (SchemaAST.isNumber(ast)) return numbers(ast.checks?.at(-1))
  return SchemaAST.isString(ast) ? texts(ast) : FastCheck.jsonValue({ maxDepth: 2 })
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

/** Arbitrary statuses, as parsed from JSON. @category arbitraries @since 0.2.0 */
export const availabilityStatus: FastCheck.Arbitrary<AvailabilityStatus.AvailabilityStatus> = arbitrary(
  AvailabilityStatus.AvailabilityStatus,
)
