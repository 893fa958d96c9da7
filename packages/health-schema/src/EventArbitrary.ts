/** Arbitrary events for property tests, with absent, `null` and unknown fields, unknown enumeration values and unusual dates. */
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
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

const struct = ({ propertySignatures }: SchemaAST.TypeLiteral): FastCheck.Arbitrary<unknown> => {
  const known = new Set(propertySignatures.map(({ name }) => String(name)))
  const fields = propertySignatures.map(({ isOptional, name, type }): FastCheck.Arbitrary<Entry> => {
    const present = json(type).map((value): Entry => [String(name), value])
    return isOptional ? FastCheck.option(present, { freq: 4, nil: undefined }) : present
  })
  return FastCheck.tuple(FastCheck.tuple(...fields), unknownFields).map(([own, others]) =>
    // Unlike an assignment, `fromEntries` treats `__proto__` as any other field.
    Object.fromEntries(
      [...own, ...others.filter((entry) => entry && !known.has(entry[0]))].filter((entry) => entry !== undefined),
    ),
  )
}

const json = (ast: SchemaAST.AST): FastCheck.Arbitrary<unknown> => {
  if (SchemaAST.isUnion(ast))
    return FastCheck.oneof(
      ...ast.types.map((type) => ({ arbitrary: json(type), weight: SchemaAST.isLiteral(type) ? 1 : 5 })),
    )
  if (SchemaAST.isTupleType(ast)) {
    const [rest] = ast.rest
    return rest === undefined ? FastCheck.constant([]) : FastCheck.array(json(rest.type), { maxLength: 2 })
  }
  if (SchemaAST.isTypeLiteral(ast)) return struct(ast)
  return Arbitrary.make(Schema.make<unknown>(ast))
}

/** JSON has no `-0` and no shared references. */
const arbitrary = <A>({ ast }: Schema.Schema.Any): FastCheck.Arbitrary<A> =>
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
