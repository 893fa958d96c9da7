/** A request of one's own: its path, its body, and what it is about. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as PathSegment from "@vigil/core-http/PathSegment"
import type * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as ApiToken from "../ApiToken.js"
import { type CustomError, InvalidBody, InvalidPath } from "../AppManagementError.js"
import * as AppName from "../AppName.js"
import type * as Endpoint from "../Endpoint.js"
import * as call from "./call.js"

const named = Schema.decodeUnknownOption(AppName.AppName)

/** What a request is about: the app that its path names, else the account. */
const scopeOf = (method: string, [first, owner, app]: ReadonlyArray<string>): ApiToken.Scope => ({
  action: method === "GET" ? "read" : "change",
  app: first?.toLowerCase() === "apps" ? Option.getOrUndefined(named({ owner, app })) : undefined,
})

/** Whether a text, once encoded, is one segment to whoever reads addresses: they resolve `.` and `..`, and drop what is empty. */
const isOne = (segment: string): boolean => !/^\.{0,2}$|\p{Cs}/u.test(segment)

/** Where a body departs from its schema: the formatter's paths hold no values. */
const placeOf = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.map(String).join(".") ?? ""

/** The body as it is sent: an empty one is `{}` (document, "Endpoints", rule 1). */
const bodyOf = <B, J extends Request.Json | undefined | void>(
  operation: string,
  { body, request }: { readonly body: B; readonly request: Schema.Schema<B, J> },
): Either.Either<Request.Json, InvalidBody> =>
  Either.mapBoth(Schema.encodeEither(request)(body), {
    onLeft: (error) => new InvalidBody({ operation, path: placeOf(error) }),
    onRight: (encoded) => (encoded === undefined ? {} : encoded),
  })

/** Sends it. */
export const send =
  (caller: call.Caller): Endpoint.Send =>
  <A, I, B, J extends Request.Json | undefined | void>(
    endpoint: Endpoint.Bodiless<A, I> | Endpoint.WithBody<A, I, B, J>,
  ): Effect.Effect<A, CustomError> => {
    const { method, operation = "AppManagement.request", path, query, repeatable, response } = endpoint
    const index = path.findIndex((segment) => !isOne(segment))
    if (index !== -1) return new InvalidPath({ operation, index })
    const common = {
      operation,
      url: caller.service.url(PathSegment.join(["v0.1", ...path]), query),
      repeatable,
      decode: Decoder.fromSchema(response),
    }
    const scope = scopeOf(method, path)
    return endpoint.request === undefined
      ? call.send(caller, scope, { ...common, method: endpoint.method })
      : Effect.flatMap(bodyOf(operation, endpoint), (body) =>
          call.send(caller, scope, { ...common, method: endpoint.method, body }),
        )
  }
