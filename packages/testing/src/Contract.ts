/**
 * Compares a request and its response with the contract of the public service. `health-2025-05-01.json` is its OpenAPI document, rebuilt from
 * Azure/azure-rest-api-specs at commit 0935806 without descriptions and examples. `service-groups-2026-08-01-preview.json` has the two operations that
 * this preview adds, made from `ServiceGroupHealth.tsp` at commit 028406b.
 */
import { readFileSync } from "node:fs"
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js"
import * as Predicate from "effect/Predicate"

/** A request and its response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly hasBody: boolean
  readonly status: number
  readonly mediaType: string
  readonly text: string
}

/** A `fetch` that records each request and its response. */
export const recordingFetch =
  (record: (exchange: Exchange) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    record({
      method: init?.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
      hasBody: init?.body !== undefined && init.body !== null,
      status: response.status,
      mediaType: response.headers.get("content-type")?.split(";")[0] ?? "",
      text: await response.clone().text(),
    })
    return response
  }

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: object
}

interface Content {
  readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } }
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, Content>>
  readonly "x-ms-pageable"?: object
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))

const previewPaths: Paths = read("service-groups-2026-08-01-preview.json")

const document: {
  readonly info: { readonly version: string }
  readonly paths: Paths
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
} = read("health-2025-05-01.json")

/** A schema of all path and query parameters. */
const parametersOf = ({ parameters }: Operation) => {
  const resolved = parameters.map((parameter) =>
    "name" in parameter ? parameter : document.components.parameters[parameter.$ref.replace(/^.*\//, "")],
  )
  return {
    type: "object",
    properties: Object.fromEntries(resolved.map((parameter) => [parameter?.name, parameter?.schema])),
    required: resolved.flatMap((parameter) => (parameter?.required === true ? [parameter.name] : [])),
    unevaluatedProperties: false,
  }
}

/** `resourceUri` contains slashes, every other path parameter is one segment. Templates that contain it are last: they also match other paths. */
const paths = Object.entries({ ...document.paths, ...previewPaths })
  .toSorted(([a], [b]) => Number(a.includes("{resourceUri}")) - Number(b.includes("{resourceUri}")))
  .map(([template, methods]) => ({
    pattern: new RegExp(
      `^${template.replaceAll(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === "resourceUri" ? ".+" : "[^/]+"})`)}$`,
    ),
    operations: Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      schema: parametersOf(operation),
    })),
  }))

/** The IDs of all operations, without those of the preview. */
export const operations: ReadonlyArray<string> = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

/** The lists with a next page. */
export const pageable: ReadonlyArray<string> = paths.flatMap(({ operations }) =>
  operations.flatMap((operation) => (operation["x-ms-pageable"] === undefined ? [] : [operation.operationId])),
)

/** Forbids undeclared fields. OpenAPI allows them, but then any misspelled name of an optional field would pass. */
const close = (schema: unknown, isPart = false): unknown => {
  if (Array.isArray(schema)) return schema.map((element) => close(element, isPart))
  if (!Predicate.isObject(schema)) return schema
  // A part of an `allOf` may contain the fields of the other parts.
  const closed = Object.entries(schema).map(([name, value]) => [name, close(value, name === "allOf")])
  const isClosed = !isPart && schema["type"] === "object" && schema["properties"] !== undefined
  return { ...Object.fromEntries(closed), ...(isClosed ? { unevaluatedProperties: false } : {}) }
}

const int32 = 2 ** 31
const withoutZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  verbose: true,
  formats: {
    "date-time": (text: string) => withoutZone.test(text.replace(/(Z|[+-]\d\d:\d\d)$/, "")) && !withoutZone.test(text),
    double: true,
    int32: { type: "number", validate: (value: number) => Number.isInteger(value) && value >= -int32 && value < int32 },
    // The characters of RFC 3986.
    uri: (text: string) => URL.canParse(text) && /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(text),
  },
}).addSchema({ components: close(document.components) } as object, "contract")

const nameOf = ({ data, instancePath, keyword, params }: ErrorObject): string => {
  // The same in lists and in single events: `properties.faqs.answer`, for `/value/0/properties/faqs/1/answer`.
  const path = instancePath
    .replaceAll(/^\/value\/\d+|\/\d+/g, "")
    .slice(1)
    .replaceAll("/", ".")
  if (keyword === "required") return `missing ${path} ${params["missingProperty"]}`
  if (keyword === "unevaluatedProperties") return `undeclared ${path} ${params["unevaluatedProperty"]}`
  // `value` is required, so null is a wrong type.
  if (keyword === "type") return `${data === null && path !== "value" ? "null" : "wrong type"} ${path}`
  if (params["format"] !== "date-time") return `wrong ${keyword} ${path}`
  if (data === "") return "empty date-time"
  return withoutZone.test(String(data)) ? "date-time without a zone" : `wrong date-time ${path}`
}

const validate = (schema: object, value: unknown): ReadonlyArray<string> =>
  ajv.validate(schema, value)
    ? []
    : // A null enumeration also fails `type`, which reports it.
      (ajv.errors ?? []).filter(({ data, keyword }) => keyword !== "enum" || data !== null).map(nameOf)

const checkResponse = ({ responses }: Operation, { mediaType, status, text }: Exchange): ReadonlyArray<string> => {
  if (mediaType !== "application/json" || !/^[[{]/.test(text)) return ["response other than JSON"]
  const response = responses[status] ?? responses["default"]
  if (response === undefined) return [`undeclared status ${status}`]
  const { $ref } = response.content["application/json"].schema
  const body: unknown = JSON.parse(text)
  const isNested = response === responses["default"] && Predicate.isObject(body) && body["error"] !== undefined
  const found = validate({ $ref: `contract${$ref}` }, isNested ? body["error"] : body)
  return isNested ? ["nested error", ...found] : found
}

/** Returns the operation of a request, if the contract has one, and the names of the deviations. */
export const check = (
  exchange: Exchange,
): { readonly operation: string; readonly deviations: ReadonlyArray<string> } => {
  const { pathname, searchParams } = new URL(exchange.url)
  const found = paths.find(({ pattern }) => pattern.test(pathname))
  const declared = found?.operations.find(({ method }) => method === exchange.method)
  const isNextPage = exchange.method === "GET" && searchParams.has("$skipToken")
  const operation = declared ?? (isNextPage ? found?.operations[0] : undefined)
  if (found === undefined || operation === undefined)
    return { operation: "none", deviations: [`undeclared ${exchange.method}`] }
  const segments = Object.entries(found.pattern.exec(pathname)?.groups ?? {})
  const values = [...segments.map(([name, value]) => [name, decodeURIComponent(value)] as const), ...searchParams]
  const parameters = Object.fromEntries(values)
  return {
    operation: operation.operationId,
    deviations: [
      ...(declared === undefined ? ["next page by GET"] : []),
      ...(exchange.hasBody && operation.requestBody === undefined ? ["undeclared request body"] : []),
      ...(values.length > Object.keys(parameters).length ? ["repeated parameter"] : []),
      ...((parameters["api-version"] ?? document.info.version) === document.info.version
        ? []
        : ["another api-version"]),
      ...validate(operation.schema, parameters),
      ...checkResponse(operation, exchange),
    ],
  }
}
