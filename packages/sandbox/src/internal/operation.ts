/** An operation of an API: what its OpenAPI document says, and what serves it. Both come from the same value. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ErrorResponse, type Fails, json } from "./errorResponse.js"
import { type Matched, queryOf, type Route } from "./router.js"

/** A query parameter. */
export interface Parameter {
  readonly schema: Schema.Schema.AnyNoContext
  readonly required: boolean
  readonly description: string
}

/** What the document says of an operation. */
export interface Description {
  readonly name: string
  /** One of the API's tags. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly method: "GET" | "PATCH" | "POST" | "DELETE"
  /** See `Route`. */
  readonly path: string
  readonly query: Readonly<Record<string, Parameter>>
  readonly body: Schema.Schema.AnyNoContext | undefined
  readonly success: { readonly status: number; readonly schema: Schema.Schema.AnyNoContext | undefined }
  /** The status codes of its error responses, without those that every operation of the API has. */
  readonly errors: ReadonlyArray<number>
}

/** An operation. `Context` is what the API adds to a request; `text` is the request body, empty for methods without one. */
export interface Operation<Context> extends Description, Route<Context & { readonly text: string }> {
  readonly method: Description["method"]
  readonly path: string
}

/** The value of a query parameter. Names are compared without regard to letter case, as the real services do. */
export const parameter = (target: string, name: string): string | null =>
  [...queryOf(target)].find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? null

/** What an operation is answered from: the request, its documented query parameters, and its decoded body. */
type Call<Context, Query extends string, Body> = Context &
  Pick<Matched, "params" | "target"> & {
    readonly query: (name: Query) => string | null
    readonly body: Effect.Effect<Body, ErrorResponse<400>>
  }

/** A JSON request body, and an example for the response to an invalid one. */
interface RequestBody<Body, Encoded> {
  readonly schema: Schema.Schema<Body, Encoded>
  readonly example: string
}

/**
 * Makes operations of one API. `Common` are the status codes of the error responses that any of its operations may have. The compiler
 * checks that an operation is served as it is documented: its response body by the schema, its status codes by `errors`, the query
 * parameters that it reads by `query`.
 */
export const maker =
  <Context, Common extends number>(invalidBody: (example: string) => Fails<400>) =>
  <Success, Response, Status extends number = never, Query extends string = never, Body = never, Encoded = never>({
    answer,
    body,
    status = 200,
    success,
    ...operation
  }: Pick<Description, "name" | "tag" | "summary" | "description" | "method" | "path"> & {
    readonly query?: Readonly<Record<Query, Parameter>>
    readonly body?: RequestBody<Body, Encoded>
    readonly status?: number
    /** A schema of `undefined` stands for no body. */
    readonly success: Schema.Schema<Success, Response>
    readonly errors: ReadonlyArray<Status>
    readonly answer: (
      call: Call<Context, NoInfer<Query>, NoInfer<Body>>,
    ) => Effect.Effect<NoInfer<Response>, ErrorResponse<NoInfer<Status> | Common>>
  }): Operation<Context> => ({
    query: {},
    ...operation,
    body: body?.schema,
    success: { status, schema: success.ast === Schema.Undefined.ast ? undefined : success },
    answer: (request) => {
      const decoded =
        body === undefined
          ? Effect.dieMessage("This operation has no body.")
          : Effect.orElse(Schema.decode(Schema.parseJson(body.schema))(request.text), () => invalidBody(body.example))
      const query = (name: Query) => parameter(request.target, name)
      return Effect.flatMap(answer({ ...request, query, body: decoded }), (response) =>
        response === undefined ? Effect.succeed(HttpServerResponse.empty({ status })) : json(response, status),
      )
    },
  })
