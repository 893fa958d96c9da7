/** The error responses that operations fail with, and the type that shows their status. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"

export type ErrorResponse<Status extends number = number> = HttpServerResponse.HttpServerResponse & {
  readonly status: Status
}

export type Fails<Status extends number> = Effect.Effect<never, ErrorResponse<Status>>

export const fail = <Status extends number>(
  status: Status,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> =>
  // A response has the status that it is made with.
  Effect.fail(HttpServerResponse.jsonUnsafe(body, { status, headers }) as ErrorResponse<Status>)
