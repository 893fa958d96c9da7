/** YAML for a pipe or a terminal: the same value as in JSON, and nothing in it that a terminal would obey. */
import { Document, isScalar, visit } from "yaml"
import * as Json from "./Json.js"

const print = (value: unknown): ReadonlyArray<string> => {
  // The same numbers as in JSON, which has neither infinities nor -0.
  const document = new Document(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      if (isScalar(scalar) && typeof scalar.value === "string" && Json.isActive(scalar.value))
        scalar.type = "QUOTE_DOUBLE"
    },
  })
  return Json.escape(document.toString({ lineWidth: 0 }), Json.inYaml)
    .trimEnd()
    .split("\n")
}

/** A value as YAML; nothing if it is nested too deeply. What a terminal may act on is escaped, in double quotes. */
export const lines = (value: unknown): ReadonlyArray<string> | undefined => Json.unlessDeep(() => print(value))
