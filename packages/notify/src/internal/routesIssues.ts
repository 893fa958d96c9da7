/** What is wrong with a routes document, in words. No reason contains a value, which may be a secret. */
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as SchemaAST from "effect/SchemaAST"

export interface PathIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const either = (names: ReadonlyArray<string>): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ")

const expected = (ast: SchemaAST.AST): string =>
  Option.getOrElse(SchemaAST.getTitleAnnotation(ast), () => {
    if (SchemaAST.isUnion(ast)) return `one of ${ast.types.map(expected).join(", ")}`
    if (SchemaAST.isLiteral(ast)) return String(ast.literal)
    return SchemaAST.isTupleType(ast) ? "a list" : "a map of names to values"
  })

const unknown = (parent: SchemaAST.AST | undefined): string => {
  if (parent === undefined || !SchemaAST.isTypeLiteral(parent)) return "is unknown"
  const [index] = parent.indexSignatures
  return index === undefined
    ? `is unknown: use ${either(parent.propertySignatures.map(({ name }) => String(name)))}`
    : `is not ${expected(index.parameter)}`
}

const all = (issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>): ReadonlyArray<ParseResult.ParseIssue> =>
  "_tag" in issues ? [issues] : issues

/** The issues of the member that the value was meant for: it accepts the kind of value, and more of its fields than the others. */
const ofUnion = (
  { ast, issues }: ParseResult.Composite,
  path: ReadonlyArray<PropertyKey>,
): ReadonlyArray<PathIssue> => {
  const [best, second] = all(issues)
    .map((issue) => describe(issue, path))
    .filter((member) => member.every((found) => found.path.length > path.length))
    .toSorted((one, other) => one.length - other.length)
  return best === undefined || best.length === second?.length ? [{ path, reason: `is not ${expected(ast)}` }] : best
}

/** Lists all issues. */
export const describe = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey> = [],
  parent?: SchemaAST.AST,
): ReadonlyArray<PathIssue> => {
  switch (issue._tag) {
    case "Pointer": {
      const inner = [...path, ...(Array.isArray(issue.path) ? issue.path : [issue.path])]
      return describe(issue.issue, inner, parent)
    }
    case "Composite":
      if (SchemaAST.isUnion(issue.ast)) return ofUnion(issue, path)
      return all(issue.issues).flatMap((inner) => describe(inner, path, issue.ast))
    case "Unexpected":
      return [{ path, reason: unknown(parent) }]
    case "Missing":
      return [{ path, reason: "is missing" }]
    case "Refinement":
      return issue.issue._tag === "Composite"
        ? describe(issue.issue, path, parent)
        : [{ path, reason: `is not ${expected(issue.ast)}` }]
    default:
      return [{ path, reason: `is not ${expected(issue.ast)}` }]
  }
}
