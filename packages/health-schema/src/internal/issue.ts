/** Checks values against a schema. Errors contain the deepest path and the reason, never a value. */
import * as Either from "effect/Either"
import { constFalse } from "effect/Function"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { InvalidField } from "../InvalidField.js"

interface DeepIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`.replace("a object", "an object")

/** A noun phrase, such as `an object` or `a whole number from 0 to 23`. */
const expected = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isTypeLiteral(ast)) return "an object"
  if (SchemaAST.isTupleType(ast)) return "an array"
  return SchemaAST.isRefinement(ast)
    ? Option.getOrElse(SchemaAST.getTitleAnnotation(ast), () => String(ast))
    : Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => String(ast))
}

const isNullMember = (issue: ParseResult.ParseIssue) =>
  issue._tag === "Type" && SchemaAST.isLiteral(issue.ast) && issue.ast.literal === null

/** The first issue with the longest path. The `null` of a nullable field does not count. */
const deepestOf = (issues: ReadonlyArray<ParseResult.ParseIssue>, path: ReadonlyArray<PropertyKey>): DeepIssue =>
  issues
    .filter((issue) => !isNullMember(issue))
    .map((issue) => deepest(issue, path))
    .reduce((best, found) => (found.path.length > best.path.length ? found : best))

/** The schemas of this package have no other kinds of issues. */
const deepest = (issue: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>): DeepIssue => {
  switch (issue._tag) {
    case "Pointer":
      return deepest(issue.issue, path.concat(issue.path))
    case "Composite":
      return deepestOf([issue.issues].flat(), path)
    case "Refinement":
      return issue.kind === "From" ? deepest(issue.issue, path) : { path, reason: `must be ${expected(issue.ast)}` }
    case "Type":
      return { path, reason: `must be ${expected(issue.ast)}, not ${kindOf(issue.actual)}` }
    default:
      return { path, reason: "is missing" }
  }
}

const render = (path: ReadonlyArray<PropertyKey>): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

/**
 * Makes a decoder that returns the input itself. The schema must not transform values. It decides only what `accepts` rejects, because it takes
 * several times as long.
 */
export const check = <A, I>(
  schema: Schema.Schema<A, I>,
  accepts: (input: unknown) => boolean = constFalse,
): ((input: unknown) => Either.Either<A, InvalidField>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (input) =>
    accepts(input)
      ? Either.right(input as A)
      : Either.mapBoth(decode(input), {
          onLeft: (error) => {
            const { path, reason } = deepest(error.issue, [])
            return new InvalidField({ path: render(path), reason })
          },
          onRight: () => input as A,
        })
}
