/** YAML that is safe for a terminal. */
import { Document, isScalar, visit } from "yaml"
import * as Json from "./Json.js"

const print = (value: unknown): ReadonlyArray<string> => {
  // The round trip through JSON leaves neither infinities, -0 nor objects that two places share, which YAML would print as aliases.
  const document = new Document(JSON.parse(JSON.stringify(value)), { compat: "yaml-1.1" })
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

/** The lines of YAML; `undefined` if the value is nested too deeply. */
export const lines = (value: unknown): ReadonlyArray<string> | undefined => Json.unlessDeep(() => print(value))
