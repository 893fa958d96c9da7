/** Requests to any endpoint: their path, body and scope. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as PlainText from "@vigil/core-http/PlainText"
import * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as ApiToken from "../ApiToken.js"
import { type CustomError, InvalidBody, InvalidPath } from "../AppManagementError.js"
import * as AppName from "../AppName.js"
import type * as Endpoint from "../Endpoint.js"
import * as call from "./call.js"

/** Returns `undefined` for other paths than those of apps and of the account. */
const scopeOf = (method: string, [first = "", owner, app]: ReadonlyArray<string>): ApiToken.Scope | undefined => {
  const action = method === "GET" ? "read" : "change"
  switch (first.toLowerCase()) {
    case "apps":
      if (app === undefined) return { action }
      return Option.getOrUndefined(Option.map(AppName.fromUnknown({ owner, app }), (name) => ({ action, app: name })))
    case "user":
    case "orgs":
      return { action }
    default:
      return undefined
  }
}

/** URL parsers resolve `.` and `..`, and drop empty segments. */
const isUsable = (segment: string): boolean => !/^\.{0,2}$|\p{Cs}/u.test(segment)

const notJson: Decoder.Issue = { path: "", reason: "cannot be written as JSON" }

/** JSON writes numbers such as `NaN` as `null`. */
const isJson = (value: unknown): boolean => {
  let isFinite = true
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "number" && !Number.isFinite(part)) isFinite = false
    return part
  })
  return isFinite && text !== undefined
}

/** An empty body is sent as `{}` (document, "Endpoints", rule 1). */
const encode = <B, J extends Request.Json | Request.JsonText | undefined | void>(
  request: Schema.Schema<B, J>,
  body: B,
): Either.Either<Request.Json | Request.JsonText, Decoder.Issue> => {
  // A schema may throw an error that contains the body.
  try {
    return Either.flatMap(Either.mapLeft(Schema.encodeEither(request)(body), Decoder.toIssue), (encoded) => {
      if (encoded === undefined) return Either.right({})
      return encoded instanceof Request.JsonText || isJson(encoded) ? Either.right(encoded) : Either.left(notJson)
    })
  } catch {
    return Either.left(notJson)
  }
}

export const send =
  (caller: call.Caller): Endpoint.Send =>
  <A, I, B, J extends Request.Json | Request.JsonText | undefined | void>(
    endpoint: Endpoint.WithoutBody<A, I> | Endpoint.WithBody<A, I, B, J>,
  ): Effect.Effect<A, CustomError> =>
    Effect.suspend((): Effect.Effect<A, CustomError> => {
      const { method, operation = "AppManagement.request", path, query, idempotent, response, success } = endpoint
      const index = path.findIndex((segment) => !isUsable(segment))
      if (index !== -1) return new InvalidPath({ operation, index })
      const common = {
        operation,
        url: caller.service.url(PathSegment.join(["v0.1", ...path]), query),
        success,
        idempotent,
        decode: Decoder.fromSchema(response),
      }
      const scope = endpoint.scope ?? scopeOf(method, path)
      return endpoint.request === undefined
        ? call.send(caller, scope, { ...common, method: endpoint.method })
        : encode(endpoint.request, endpoint.body).pipe(
            Either.mapLeft(
              ({ path, reason }) =>
                new InvalidBody({
                  operation,
                  path: PlainText.toSingleLine(path, 200),
                  reason: PlainText.toSingleLine(reason, 200),
                }),
            ),
            Effect.flatMap((body) => call.send(caller, scope, { ...common, method: endpoint.method, body })),
          )
    })
