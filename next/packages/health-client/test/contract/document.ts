/**
 * The contract of the public service, and the operation that a request is for. `health-2025-05-01.json` is its OpenAPI document, rebuilt from
 * Azure/azure-rest-api-specs at commit 0935806 without descriptions and examples.
 */
import { readFileSync } from "node:fs"

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly schema: object
}

interface Content {
  readonly content: { readonly "application/json": { readonly schema: Reference } }
}

interface DocumentOperation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter | Reference>
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, Content>>
  readonly "x-ms-pageable"?: object
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

export interface Operation extends DocumentOperation {
  readonly method: string
  readonly parameters: ReadonlyArray<Parameter>
}

export const document: Document = JSON.parse(readFileSync(new URL("health-2025-05-01.json", import.meta.url), "utf8"))

const resolve = (parameter: Parameter | Reference): Parameter => {
  if (!("$ref" in parameter)) return parameter
  const found = document.components.parameters[parameter.$ref.replace("#/components/parameters/", "")]
  if (found === undefined) throw new Error(`The document has no parameter ${parameter.$ref}.`)
  return found
}

/** `resourceUri` contains slashes, every other parameter is one segment. */
const pattern = (template: string): RegExp => {
  const named = template
    .replaceAll(".", "\\.")
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${name === "resourceUri" ? ".+" : "[^/]+"})`)
  return new RegExp(`^${named}$`)
}

/** The paths, with the templates that contain `{resourceUri}` last, because they also match other paths. */
const paths = Object.entries(document.paths)
  .map(([template, methods]) => ({
    template,
    pattern: pattern(template),
    operations: Object.entries(methods).map(([method, operation]): Operation => ({
      ...operation,
      method: method.toUpperCase(),
      parameters: operation.parameters.map(resolve),
    })),
  }))
  .toSorted((a, b) => Number(a.template.includes("{resourceUri}")) - Number(b.template.includes("{resourceUri}")))

/** The operations of a path, by method, and the encoded values of its parameters. */
export const find = (path: string) => {
  const found = paths.find(({ pattern }) => pattern.test(path))
  return found && { operations: found.operations, values: { ...found.pattern.exec(path)?.groups } }
}
