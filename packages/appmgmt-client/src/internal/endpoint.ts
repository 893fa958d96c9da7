/** A request of one's own: its path, its body, and what it is about. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as PlainText from "@vigil/core-http/PlainText"
import * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as ApiToken from "../ApiToken.js"
import { type CustomError, InvalidBody, InvalidPath } from "../AppManagementError.js"
import * as AppName from "../AppName.js"
import type * as Endpoint from "../Endpoint.js"
import * as call from "./call.js"

const named = Schema.decodeUnknownOption(AppName.AppName)

/** What a request seems to be about: the app that its path names, or the account; nothing where the path says neither. */
const scopeOf = (method: string, [first = "", owner, app]: ReadonlyArray<string>): ApiToken.Scope | undefined => {
  const action = method === "GET" ? "read" : "change"
  switch (first.toLowerCase()) {
    case "apps":
      if (app === undefined) return { action }
      return Option.getOrUndefined(Option.map(named({ owner, app }), (name) => ({ action, app: name })))
    case "user":
    case "orgs":
      return { action }
    default:
      return undefined
  }
}

/** Whether a text, once encoded, is one segment to whoever reads addresses: they resolve `.` and `..`, and drop what is empty. */
const isOne = (segment: string): boolean => !/^\.{0,2}$|\p{Cs}/u.test(segment)

/** Where a body departs from its schema: the formatter's paths hold no values, but keys of records, which may be anything. */
const placeOf = (error: ParseResult.ParseError): string =>
  PlainText.line(ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.map(String).join(".") ?? "", 200)

/** Whether JSON can carry it as it is. Numbers that JSON has no word for would go out as `null`. */
const isCarried = (encoded: unknown): boolean => {
  let isWhole = true
  const text = JSON.stringify(encoded, (_, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) isWhole = false
    return value
  })
  return isWhole && text !== undefined
}

/** The body as it is sent: an empty one is `{}` (document, "Endpoints", rule 1). */
const bodyOf = <B, J extends Request.Json | Request.JsonText | undefined | void>(
  operation: string,
  { body, request }: { readonly body: B; readonly request: Schema.Schema<B, J> },
): Either.Either<Request.Json | Request.JsonText, InvalidBody> =>
  Either.try({
    try: () =>
      Either.flatMap(Either.mapLeft(Schema.encodeEither(request)(body), placeOf), (encoded) => {
        if (encoded === undefined) return Either.right({})
        return encoded instanceof Request.JsonText || isCarried(encoded) ? Either.right(encoded) : Either.left("")
      }),
    // Schemas run code of others: what that throws may hold the body.
    catch: () => "",
  }).pipe(
    Either.flatMap(identity),
    Either.mapLeft((path) => new InvalidBody({ operation, path })),
  )

/** Sends it. */
export const send =
  (caller: call.Caller): Endpoint.Send =>
  <A, I, B, J extends Request.Json | Request.JsonText | undefined | void>(
    endpoint: Endpoint.Bodiless<A, I> | Endpoint.WithBody<A, I, B, J>,
  ): Effect.Effect<A, CustomError> =>
    Effect.suspend((): Effect.Effect<A, CustomError> => {
      const { method, operation = "AppManagement.request", path, query, repeatable, response, success } = endpoint
      const index = path.findIndex((segment) => !isOne(segment))
      if (index !== -1) return new InvalidPath({ operation, index })
      const common = {
        operation,
        url: caller.service.url(PathSegment.join(["v0.1", ...path]), query),
        success,
        repeatable,
        decode: Decoder.fromSchema(response),
      }
      const scope = endpoint.scope ?? scopeOf(method, path)
      return endpoint.request === undefined
        ? call.send(caller, scope, { ...common, method: endpoint.method })
        : Effect.flatMap(bodyOf(operation, endpoint), (body) =>
            call.send(caller, scope, { ...common, method: endpoint.method, body }),
          )
    })
