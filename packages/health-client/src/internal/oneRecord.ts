/** Requests for one record: by GET, or by a POST that reads. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Source from "../Source.js"

interface Named {
  readonly name?: string | null
  readonly properties?: unknown
}

const issue = (path: string, problem: string) => Effect.fail<Issue>({ path, problem })

/** Every property is optional, so almost any object decodes as a record. */
const checked =
  <A extends Named>(decode: (json: unknown) => Result.Result<A, Issue>, name: string) =>
  (json: unknown): Effect.Effect<A, Issue> =>
    Effect.flatMap(Effect.fromResult(decode(json)), (record) => {
      if (!record.properties) return issue("properties", "is missing")
      return (record.name || name).toLowerCase() === name.toLowerCase()
        ? Effect.succeed(record)
        : issue("name", "is that of another record")
    })

/** Fetches the record of a list with this name: by GET, or by the POST of an action that reads it. */
export const fetch = <A extends Named>(
  source: Omit<Source.Source<A>, "decode" | "method">,
  name: string,
  decode: (json: unknown) => Result.Result<A, Issue>,
  action?: string,
): Effect.Effect<A, RequestError> =>
  Effect.flatMap(DateTime.now, (now) => {
    const path = source.path + join(action === undefined ? [name] : [name, action])
    const method = action === undefined ? "GET" : "POST"
    return source.service.send(HttpClientRequest.make(method)(Source.url(source, path, source.start?.(now).text)), {
      operation: source.operation,
      attributes: Source.attributes(source),
      accepts: (status) => status === 200,
      idempotent: true,
      decode: checked(decode, name),
    })
  })
