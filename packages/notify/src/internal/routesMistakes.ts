/** All mistakes of a routes document, with their positions. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { Mistake } from "../RoutesError.js"
import { describe, fieldOf, type PathIssue } from "./routesIssues.js"
import type { YamlDocument } from "./yamlDocument.js"

const entriesOf = (value: unknown): ReadonlyArray<readonly [number, unknown]> =>
  Array.isArray(value) ? [...value.entries()] : []

/** Mistakes between fields, which a schema of fields cannot find. They are found even if other fields are invalid. */
const betweenFields = (document: unknown): ReadonlyArray<PathIssue> => {
  const sinks = fieldOf(document, "sinks")
  const names = typeof sinks === "object" && sinks !== null ? Object.keys(sinks) : []
  return entriesOf(fieldOf(document, "routes")).flatMap(([index, route]) => {
    const path = ["routes", index]
    const to = fieldOf(route, "to")
    const targets = typeof to === "string" ? ([[undefined, to]] as const) : entriesOf(to)
    const quiet = fieldOf(route, "quietHours")
    const isEmpty = typeof fieldOf(quiet, "from") === "string" && fieldOf(quiet, "from") === fieldOf(quiet, "to")
    return [
      ...targets
        .filter(([, name]) => typeof name === "string" && !names.includes(name))
        .map(([item]) => ({
          path: [...path, "to", ...(item === undefined ? [] : [item])],
          reason:
            names.length === 0 ? "is not the name of a sink" : `is not the name of a sink: use ${names.join(" or ")}`,
        })),
      ...(isEmpty ? [{ path: [...path, "quietHours", "to"], reason: "equals from" }] : []),
    ]
  })
}

/** Lists all mistakes in the order of the document. */
export const mistakesOf = (
  { position, value }: YamlDocument,
  error: Option.Option<Schema.SchemaError>,
): ReadonlyArray<Mistake> =>
  [...Option.match(error, { onNone: () => [], onSome: ({ issue }) => describe(issue, value) }), ...betweenFields(value)]
    .map(({ path, reason }) => ({
      ...position(path),
      path: toSingleLine(path.map(String).join("."), 200),
      reason: toSingleLine(reason, 500),
    }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
