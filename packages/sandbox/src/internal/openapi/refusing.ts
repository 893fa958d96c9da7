/** How a document says what is refused: as it is here, and not as the library would refuse. */
import { STATUS_CODES } from "node:http"

/** A part of a document, as the library hands it over to be changed. */
type Part = Record<string, unknown>

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null

const without = (part: unknown, drop: (name: string) => boolean): Part =>
  Object.fromEntries(Object.entries(isPart(part) ? part : {}).filter(([name]) => !drop(name)))

/** What the library adds to describe its own 400, which is not served. */
const own = new Set(["HttpApiDecodeError", "Issue", "PropertyKey"])

/** An operation that is refused with these statuses, each with a body of the schema of this name. */
export const refusing =
  (schema: string, ...statuses: ReadonlyArray<number>) =>
  (operation: Part): Part => ({
    ...operation,
    responses: {
      ...without(operation["responses"], (status) => !status.startsWith("2")),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          {
            description: STATUS_CODES[status],
            content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
          },
        ]),
      ),
    },
  })

/** The document with these components changed, and without what only the library's own 400 needs. */
export const withComponents =
  (components: Part = {}) =>
  (document: Part): Part => {
    const known = isPart(document["components"]) ? document["components"] : {}
    const schemas = without(known["schemas"], (name) => own.has(name))
    return { ...document, components: { ...known, schemas, ...components } }
  }
