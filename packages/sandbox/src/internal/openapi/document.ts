/** The OpenAPI document of an API, made of the operations that serve it. */
import { STATUS_CODES } from "node:http"
import type * as OpenApi from "effect/http-api/OpenApi"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import type { Description } from "../operation.js"
import { template } from "../router.js"

export interface Api {
  readonly info: OpenApi.OpenAPISpecInfo
  readonly baseUrl: string
  readonly tags: Readonly<Record<string, string>>
  readonly security: { readonly name: string; readonly scheme: object; readonly scopes: ReadonlyArray<string> }
  readonly failure: Schema.Constraint
  readonly errors: ReadonlyArray<number>
  readonly operations: ReadonlyArray<Description>
}

export const make = (api: Api) => {
  const schemas: JsonSchema.Definitions = {}
  const schema = (schema: Schema.Constraint) => {
    const { dialect, definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
    const document = JsonSchema.toMultiDocumentOpenApi3_1({ dialect, definitions, schemas: [root] })
    Object.assign(schemas, document.definitions)
    return document.schemas[0]
  }
  const content = (body: Schema.Constraint) => ({ "application/json": { schema: schema(body) } })

  const response = (status: number, body: Schema.Constraint | undefined) => [
    status,
    { description: STATUS_CODES[status] ?? "", ...(body === undefined ? {} : { content: content(body) }) },
  ]

  const operation = ({ description, errors, name, query, success, summary, tag, ...operation }: Description) => ({
    operationId: name,
    summary,
    description,
    tags: [tag],
    security: [{ [api.security.name]: api.security.scopes }],
    parameters: [
      ...template(operation.path).params.map((name) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
      })),
      ...Object.entries(query).map(([name, parameter]) => ({
        name,
        in: "query",
        required: parameter.required,
        description: parameter.description,
        schema: schema(parameter.schema),
      })),
    ],
    responses: Object.fromEntries([
      response(success.status, success.schema),
      ...[...api.errors, ...errors].map((status) => response(status, api.failure)),
    ]),
  })

  const paths: Record<string, object> = {}
  for (const described of api.operations) {
    const at = template(described.path).path
    paths[at] = { ...paths[at], [described.method.toLowerCase()]: operation(described) }
  }
  return {
    openapi: "3.1.0",
    info: api.info,
    servers: [{ url: api.baseUrl }],
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, securitySchemes: { [api.security.name]: api.security.scheme } },
  }
}
