/** The parameters of an article or a link on one line, whatever JSON they are. */
import * as Predicate from "effect/Predicate"
import * as Json from "../output/Json.js"

const text = (value: unknown): string => (typeof value === "string" ? value : Json.text(value))

/** A map as its names and values, any other JSON as itself; empty where there are no parameters. */
export const make = (parameters: unknown, separator: string): string =>
  Predicate.isRecord(parameters)
    ? Object.entries(parameters)
        .map(([name, value]) => `${name}${separator}${text(value)}`)
        .join(", ")
    : Predicate.isNullable(parameters)
      ? ""
      : text(parameters)
