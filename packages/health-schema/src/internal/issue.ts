/** Words a schema's verdict: the deepest path and the reason, in the document's names, and never a value. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { InvalidField } from "../InvalidField.js"
import { compile } from "./fastPath.js"

interface Found {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const kind = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`.replace("a object", "an object")

/** What has neither a title nor a name, by its kind. */
const plain = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isTupleType(ast)) return "an array"
  return SchemaAST.isTypeLiteral(ast) ? "an object" : String(ast)
}

/** What was expected, as its title says it, else by its name. */
const expected = (ast: SchemaAST.AST): string =>
  SchemaAST.getTitleAnnotation(ast).pipe(
    Option.orElse(() => SchemaAST.getIdentifierAnnotation(ast)),
    Option.getOrElse(() => plain(ast)),
  )

const isList = (
  issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>,
): issues is readonly [ParseResult.ParseIssue, ...ReadonlyArray<ParseResult.ParseIssue>] => Array.isArray(issues)

const isNullMember = (issue: ParseResult.ParseIssue) =>
  issue._tag === "Type" && SchemaAST.isLiteral(issue.ast) && issue.ast.literal === null

/** Of the members of a union, the one that came furthest says most; `null` says least. */
const furthest = (issues: ReadonlyArray<ParseResult.ParseIssue>, path: ReadonlyArray<PropertyKey>): Found => {
  const [first, ...rest] = issues.filter((issue) => !isNullMember(issue)).map((issue) => deepest(issue, path))
  return rest.reduce<Found>(
    (best, found) => (found.path.length > best.path.length ? found : best),
    first ?? { path, reason: "has the wrong type" },
  )
}

const deepest = (issue: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>): Found => {
  switch (issue._tag) {
    case "Pointer":
      return deepest(issue.issue, path.concat(issue.path))
    case "Composite":
      return isList(issue.issues) ? furthest(issue.issues, path) : deepest(issue.issues, path)
    case "Refinement":
      return issue.kind === "From"
        ? deepest(issue.issue, path)
        : { path, reason: `expected ${expected(issue.ast)}, got another ${typeof issue.actual}` }
    case "Transformation":
      return deepest(issue.issue, path)
    case "Missing":
      return { path, reason: "is missing" }
    case "Unexpected":
      return { path, reason: "is not expected here" }
    case "Forbidden":
      return { path, reason: "could not be checked" }
    case "Type":
      return { path, reason: `expected ${expected(issue.ast)}, got ${kind(issue.actual)}` }
  }
}

const render = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, key) => (Predicate.isNumber(key) ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  )

/** What `error` says, in one path and one reason. */
const fromParseError = (error: ParseResult.ParseError): InvalidField => {
  const { path, reason } = deepest(error.issue, [])
  return new InvalidField({ path: render(path), reason })
}

/**
 * Checks a value and hands back the value itself, so that nothing of it is lost: these schemas decode to what they
 * accept, so that the input, once accepted, has the type. What the fast path is not sure of, the schema decides.
 */
export const check = <A, I>(schema: Schema.Schema<A, I>): ((input: unknown) => Either.Either<A, InvalidField>) => {
  const sure = compile(schema.ast)
  const decode = Schema.decodeUnknownEither(schema)
  return (input) =>
    sure(input)
      ? Either.right(input as A)
      : Either.mapBoth(decode(input), { onLeft: fromParseError, onRight: () => input as A })
}
