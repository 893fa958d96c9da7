/** Finds where a request and its response deviate from the contract. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import * as Predicate from "effect/Predicate"
import { document, find, type Operation } from "./document.js"
import type { Exchange } from "./recorder.js"

/** The operation of a request, if the contract has one, and the names of the deviations. */
export interface Verdict {
  readonly operation: Operation | undefined
  readonly deviations: ReadonlyArray<string>
}

/** Forbids undeclared fields. OpenAPI allows them, but then any misspelled name of an optional field would pass. */
const close = (schema: unknown, isPart = false): unknown => {
  if (Array.isArray(schema)) return schema.map((element) => close(element))
  if (!Predicate.isObject(schema)) return schema
  const closed = Object.entries(schema).map(([name, value]) => [
    name,
    name === "allOf" && Array.isArray(value) ? value.map((part) => close(part, true)) : close(value),
  ])
  return {
    ...Object.fromEntries(closed),
    // A part of an `allOf` may contain the fields of the other parts.
    ...(!isPart && schema["type"] === "object" && schema["properties"] !== undefined
      ? { unevaluatedProperties: false }
      : {}),
  }
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

const validators = new Map<string, ValidateFunction>()

const validator = (reference: string): ValidateFunction => {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: `contract${reference}` })
  validators.set(reference, validate)
  return validate
}

/** Converts `/value/0/properties/faqs/1/answer` to `properties.faqs.answer`, which is the same in lists and in single events. */
const fieldPathOf = (pointer: string): string =>
  pointer
    .replace(/^\/value\/\d+/, "")
    .replaceAll(/\/\d+/g, "")
    .slice(1)
    .replaceAll("/", ".")

const nameOf = ({ data, instancePath, keyword, params }: ErrorObject): string => {
  const path = fieldPathOf(instancePath)
  const field = (name: unknown) => (path === "" ? String(name) : `${path}.${String(name)}`)
  switch (keyword) {
    case "required":
      return `missing field ${field(params["missingProperty"])}`
    case "unevaluatedProperties":
      return `undeclared field ${field(params["unevaluatedProperty"])}`
    case "type":
      // `value` is required, so null is a wrong type.
      return `${data === null && path !== "value" ? "null" : "wrong type"} ${path}`
    case "format":
      if (params["format"] === "date-time" && data === "") return "empty date-time"
      return params["format"] === "date-time" && withoutZone.test(String(data))
        ? "date-time without a zone"
        : `wrong format ${path}`
    default:
      return `wrong ${keyword} ${path}`
  }
}

const checkParameters = (operation: Operation, url: URL, path: Readonly<Record<string, string>>) => {
  const declared = operation.parameters.flatMap(({ in: location, name, required, schema }) => {
    const values =
      location === "query"
        ? url.searchParams.getAll(name)
        : [path[name]].filter(Predicate.isNotUndefined).map(decodeURIComponent)
    if (values.length === 0) return required ? [`missing parameter ${name}`] : []
    if (values.length > 1) return [`repeated parameter ${name}`]
    return ajv.validate(schema, values[0]) ? [] : [`wrong parameter ${name}`]
  })
  const names = new Set(operation.parameters.map(({ name }) => name))
  const undeclared = [...url.searchParams.keys()].filter((name) => !names.has(name))
  const version = url.searchParams.get("api-version") ?? document.info.version
  return [
    ...declared,
    ...undeclared.map((name) => `undeclared parameter ${name}`),
    ...(version === document.info.version ? [] : ["another api-version"]),
  ]
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checkBody = (reference: string, body: unknown): ReadonlyArray<string> => {
  const validate = validator(reference)
  if (validate(body)) return []
  // A null enumeration also fails `type`, which reports it.
  return (validate.errors ?? []).filter(({ data, keyword }) => keyword !== "enum" || data !== null).map(nameOf)
}

const checkResponse = (operation: Operation, { mediaType, status, text }: Exchange): ReadonlyArray<string> => {
  const declared = operation.responses[status]?.content["application/json"].schema.$ref
  const error = operation.responses["default"]?.content["application/json"].schema.$ref
  const body = parse(text)
  if (mediaType !== "application/json" || body === undefined) return ["response other than JSON"]
  if (declared !== undefined) return checkBody(declared, body)
  if (error === undefined) return [`undeclared status ${status}`]
  return Predicate.isObject(body) && body["error"] !== undefined
    ? ["nested error", ...checkBody(error, body["error"])]
    : checkBody(error, body)
}

/** Compares a request and its response with the operation of the contract. */
export const check = (exchange: Exchange): Verdict => {
  const url = new URL(exchange.url)
  const found = find(url.pathname)
  const [only] = found?.operations ?? []
  if (found === undefined || only === undefined) return { operation: undefined, deviations: ["undeclared path"] }
  const declared = found.operations.find(({ method }) => method === exchange.method)
  const isNextPage =
    exchange.method === "GET" && only["x-ms-pageable"] !== undefined && url.searchParams.has("$skipToken")
  const operation = declared ?? (isNextPage ? only : undefined)
  if (operation === undefined) return { operation, deviations: [`undeclared method ${exchange.method}`] }
  return {
    operation,
    deviations: [
      ...(declared === undefined ? ["next page by GET"] : []),
      ...(exchange.hasBody && operation.requestBody === undefined ? ["undeclared request body"] : []),
      ...checkParameters(operation, url, found.values),
      ...checkResponse(operation, exchange),
    ],
  }
}
