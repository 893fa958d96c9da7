/** Parses YAML, and finds the positions of its values. JSON is YAML. */
import * as Result from "effect/Result"
import { Composer, type Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml"

/** Longer texts are refused: comparing the keys of a map takes quadratic time. */
const maxLength = 100_000

/** The composer is recursive. */
const maxDepth = 50

/** Limits the size of a document whose aliases are expanded. */
const maxAliases = 100

export interface YamlDocument {
  readonly value: unknown
  /** The line and the column of a value, or of the closest value around it. Both start at 1. */
  readonly position: (path: ReadonlyArray<PropertyKey>) => Position
}

export interface Position {
  readonly line: number
  readonly column: number
}

const offsetOf = (document: Document, path: ReadonlyArray<PropertyKey>): number => {
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const part of path) {
    const target: unknown = isAlias(node) ? node.resolve(document) : node
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) return offset
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
      node = pair.value
    } else if (isSeq(target)) {
      node = target.items[Number(part)]
      offset = isNode(node) ? (node.range?.[0] ?? offset) : offset
    }
  }
  return offset
}

/** Messages may quote the document, which may contain a secret. */
const withoutQuote = (message: string): string =>
  message
    .replace(/(?<! ): .*$/s, "")
    .replace(/(?<=escape sequence|YAML version) .*$/s, "")
    .replace(/^The .* tag has/s, "The tag has")
    .replace(/\.$/, "")

/** Parses a text. The first failures are the ones to fix first. */
export const parse = (
  text: string,
): Result.Result<YamlDocument, ReadonlyArray<Position & { readonly reason: string }>> => {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  lines.addNewLine(0)
  const fail = (offset: number, reason: string) => Result.fail([{ ...at(offset), reason }])
  if (text.length > maxLength) return fail(0, `is longer than ${maxLength} characters`)

  const parser = new Parser(lines.addNewLine)
  const tokens = []
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    if (parser.stack.length > maxDepth) return fail(parser.offset, `is nested more than ${maxDepth} levels deep`)
  }
  tokens.push(...parser.end())
  const [document, second] = new Composer({ logLevel: "silent" }).compose(tokens, true, text.length)
  if (document === undefined) return fail(0, "is empty")
  if (second !== undefined) return fail(second.range[0], "is a second document")
  if (document.errors.length > 0)
    return Result.fail(
      document.errors.map(({ message, pos: [start] }) => ({
        ...at(start),
        reason: `is not YAML: ${withoutQuote(message)}`,
      })),
    )
  return Result.try({
    try: () => ({
      value: document.toJS({ maxAliasCount: maxAliases }) as unknown,
      position: (path) => at(offsetOf(document, path)),
    }),
    catch: () => [{ line: 1, column: 1, reason: "has an alias that is undefined, or that is repeated too often" }],
  })
}
