/** An operation of an API: one value for its OpenAPI document and its route. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ErrorResponse } from "./errorResponse.js"
import { type Matched, queryOf, type Route } from "./router.js"

export interface Parameter {
  readonly schema: Schema.ConstraintCodec<unknown, unknown>
  readonly required: boolean
  readonly description: string
}

export interface Description {
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly method: "GET" | "PATCH" | "POST" | "DELETE"
  readonly path: string
  readonly query: Readonly<Record<string, Parameter>>
  readonly success: { readonly status: number; readonly schema: Schema.ConstraintCodec<unknown, unknown> | undefined }
  readonly errors: ReadonlyArray<number>
}

export interface Operation<Context> extends Description {
  readonly handle: (call: Context & Matched) => ReturnType<Route["handle"]>
}

/** Names are not case-sensitive, as in the real services. */
export const parameter = (target: string, name: string): string | null =>
  [...queryOf(target)].find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? null

type Call<Context, Query extends string> = Context &
  Pick<Matched, "params" | "target"> & {
    readonly query: (name: Query) => string | null
  }

/** The compiler checks that an operation responds as documented: the result, the status codes of errors, and the query parameters. */
export const maker =
  <Context, Common extends number>(tag: string) =>
  <Success, Response, Status extends number = never, Query extends string = never>({
    handle,
    status = 200,
    success,
    ...operation
  }: Pick<Description, "name" | "summary" | "description" | "path"> & {
    /** Default: GET. */
    readonly method?: Description["method"]
    readonly query?: Readonly<Record<Query, Parameter>>
    readonly status?: number
    readonly success: Schema.Codec<Success, Response>
    readonly errors?: ReadonlyArray<Status>
    readonly handle: (
      call: Call<Context, NoInfer<Query>>,
    ) => Effect.Effect<NoInfer<Response>, ErrorResponse<NoInfer<Status> | Common>>
  }): Operation<Context> => ({
    tag,
    method: "GET",
    query: {},
    errors: [],
    ...operation,
    success: { status, schema: success.ast === Schema.Undefined.ast ? undefined : success },
    handle: (request) => {
      const query = (name: Query) => parameter(request.target, name)
      return Effect.map(handle({ ...request, query }), (response) =>
        response === undefined
          ? HttpServerResponse.empty({ status })
          : HttpServerResponse.jsonUnsafe(response, { status }),
      )
    },
  })
