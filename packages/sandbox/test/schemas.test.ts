/** What the decoders accept, and what JSON Schema and the OpenAPI documents say that they accept, is the same. */
import {
  ApiVersion,
  AvailabilityStatus,
  EmergingIssue,
  EventsPage,
  HealthEvent,
  ImpactedResource,
  type InvalidField,
  Metadata,
  Operation,
} from "@vigil/health-schema"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FastCheck from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import * as appManagement from "../src/internal/appmgmt/operations.js"
import * as appManagementSchemas from "../src/internal/appmgmt/schemas.js"
import * as health from "../src/internal/healthApi.js"
import * as healthCall from "../src/internal/healthCall.js"
import * as documents from "../src/internal/openapi/documents.js"
import { almost } from "./values.js"

const vendor = "Acme"

/** The records of a schema, by identifier, and the records in them. */
const records = (ast: SchemaAST.AST): ReadonlyArray<readonly [name: string, ast: SchemaAST.AST]> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(records)
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap(records)
  if (!SchemaAST.isObjects(ast)) return []
  const name = SchemaAST.resolveIdentifier(ast)
  const inner = ast.propertySignatures.flatMap(({ type }) => records(type))
  return name === undefined ? inner : [[name, ast], ...inner]
}

type Decode = (input: unknown) => boolean

const isPage =
  (decode: (input: unknown) => Result.Result<Pick<EventsPage.Page, "invalid">, InvalidField.InvalidField>): Decode =>
  (input) =>
    Result.match(decode(input), { onFailure: () => false, onSuccess: ({ invalid }) => invalid.length === 0 })

/** Decoders that users call instead of decoding by the schema. */
const decoders: Readonly<Record<string, Decode>> = Object.fromEntries([
  ["ImpactedResourcesPage", isPage(ImpactedResource.decodePage)],
  ["ImpactedResource", (input: unknown) => Result.isSuccess(ImpactedResource.decode(input))],
  ["AvailabilityStatusesPage", isPage(AvailabilityStatus.decodePage)],
  ["AvailabilityStatus", (input: unknown) => Result.isSuccess(AvailabilityStatus.decode(input))],
  ["EmergingIssuesPage", isPage(EmergingIssue.decodePage)],
  ["EmergingIssue", (input: unknown) => Result.isSuccess(EmergingIssue.decode(input))],
  ["MetadataPage", isPage(Metadata.decodePage)],
  ["Metadata", (input: unknown) => Result.isSuccess(Metadata.decode(input))],
  ["OperationsPage", isPage(Operation.decodePage)],
  ...ApiVersion.all.flatMap(
    (version) =>
      [
        [
          `HealthEvent-${version}-${vendor}`,
          (input: unknown) => Result.isSuccess(HealthEvent.decode(version, { vendor })(input)),
        ],
        [`EventsPage-${version}-${vendor}`, isPage(EventsPage.decode(version, { vendor }))],
      ] as const,
  ),
])

const apis = [
  ["/health/openapi.json", health.operations(vendor), healthCall.Failure],
  ["/v0.1/openapi.json", appManagement.operations, appManagementSchemas.Failure],
] as const

describe.each(apis)("%s", (path, operations, failure) => {
  const openapi = new Ajv2020({ strict: false })
  beforeAll(async () => {
    const response = Effect.runSync(documents.make({ baseUrl: "http://127.0.0.1", vendor })[path]())
    openapi.addSchema(JSON.parse(await HttpServerResponse.toWeb(response).text()), "document")
  })

  const schemas = operations.flatMap(({ success }) => success.schema ?? [])
  const all = new Map([...schemas, failure].flatMap(({ ast }) => records(ast)))

  it.each([...all])("gives one verdict on %s", (name, ast) => {
    const schema = Schema.make<Schema.Codec<unknown>>(ast)
    const decodes = decoders[name] ?? Schema.is(schema)
    const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
    const byJsonSchema = new Ajv2020({ strict: false }).compile({ ...root, $defs: definitions })
    const byOpenApi = openapi.compile({ $ref: `document#/components/schemas/${name}` })
    const accepted: Array<boolean> = []
    FastCheck.assert(
      FastCheck.property(almost(ast), (value) => {
        const verdict = decodes(value)
        accepted.push(verdict)
        expect([byJsonSchema(value), byOpenApi(value)]).toEqual([verdict, verdict])
      }),
    )
    expect(new Set(accepted).size).toBe(2)
  })
})
