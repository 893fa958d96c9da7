/** YAML for a pipe or a terminal: the same value as in JSON, and nothing in it that a terminal would obey. */
import { Document, isScalar, visit } from "yaml"
import * as Json from "./Json.js"

/** A value as YAML. What a terminal may act on is escaped, in double quotes. */
export const lines = (value: unknown): ReadonlyArray<string> => {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      if (isScalar(scalar) && typeof scalar.value === "string" && Json.isActive(scalar.value))
        scalar.type = "QUOTE_DOUBLE"
    },
  })
  return Json.escape(document.toString({ lineWidth: 0 }))
    .trimEnd()
    .split("\n")
}
