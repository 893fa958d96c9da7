/** Decodes the JSON of responses, and reports where it is invalid without its values. */
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/**
 * Where JSON is invalid, and why, without values. The client removes secrets from both fields and cuts them to 200 characters.
 * @category models @since 0.1.0
 */
export interface Issue {
  /** The path, joined by dots; empty for the whole value. The keys of a map are part of it. */
  readonly path: string
  /** What is wrong there, such as `is missing`. */
  readonly problem: string
}

/** A response besides its body. @category models @since 0.2.0 */
export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers.Headers
  /** The URL of the request or of the last redirect. `URL.parse(link, url)` resolves a link. */
  readonly url: string
}

/**
 * Decodes parsed JSON, or fails with the issue. The JSON of an empty success response is `undefined`. `totalTimeout` covers decoding, `timeout` does not.
 * @category models @since 0.1.0
 */
export type Decoder<A> = (json: unknown, response: ResponseInfo) => Effect.Effect<A, Issue>

/** The issues of Effect contain no values, unless a schema asks for them in the text of a check. */
const format = SchemaIssue.makeFormatterStandardSchemaV1({ checkHook: () => undefined })

/** The first issue at the deepest path. */
const toIssue = ({ issue }: Schema.SchemaError): Issue => {
  const { message, path = [] } = format(issue).issues.reduce((best, next) =>
    (next.path ?? []).length > (best.path ?? []).length ? next : best,
  )
  const problem = message.replace(/^Missing key$/, "is missing").replace(/^Expected /, "does not match ")
  return { path: path.map(String).join("."), problem }
}

/** Makes a decoder of a schema, which may be asynchronous. Its issues contain no values. @category constructors @since 0.1.0 */
export const fromSchema = <A, I>(schema: Schema.Codec<A, I>): ((json: unknown) => Effect.Effect<A, Issue>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (json) => Effect.mapError(decode(json), toIssue)
}
