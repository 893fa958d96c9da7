/** Requests for one record: by GET, or by a POST that reads. */
import type { Issue } from "@vigil/core-http/Decoder"
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Source from "../Source.js"
import { read } from "./read.js"

const issue = (path: string, problem: string) => Effect.fail<Issue>({ path, problem })

/**
 * Fetches the record of a list at a path below that of the list. Every property is optional, so almost any object decodes as a record: `isIt` decides
 * by the `field` that identifies records.
 */
export const fetch = <A extends { readonly properties?: unknown }>(
  source: Omit<Source.Source<A>, "decode">,
  segments: ReadonlyArray<string>,
  decode: (json: unknown) => Result.Result<A, Issue>,
  field: "id" | "name",
  isIt: (record: A) => boolean,
): Effect.Effect<A, RequestError> =>
  Effect.flatMap(DateTime.now, (now) => {
    const url = Source.url(source, source.path + join(segments), source.start?.(now).text)
    return read(source.service, source.method, url, {
      operation: source.operation,
      attributes: Source.attributes(source),
      refusalKey: Source.refusalKey(source, source.operation),
      decode: (json) =>
        Effect.flatMap(Effect.fromResult(decode(json)), (record) => {
          if (!record.properties) return issue("properties", "is missing")
          return isIt(record) ? Effect.succeed(record) : issue(field, "is that of another record")
        }),
    })
  })

/** Fetches the record with this name: by GET, or by the POST of an action that reads it. */
export const fetchByName = <A extends { readonly name?: string | null; readonly properties?: unknown }>(
  source: Omit<Source.Source<A>, "decode" | "method">,
  name: string,
  decode: (json: unknown) => Result.Result<A, Issue>,
  action?: string,
): Effect.Effect<A, RequestError> =>
  fetch(
    { ...source, method: action === undefined ? "GET" : "POST" },
    action === undefined ? [name] : [name, action],
    decode,
    "name",
    (record) => (record.name || name).toLowerCase() === name.toLowerCase(),
  )
