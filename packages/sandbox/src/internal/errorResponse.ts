/** JSON responses of the APIs, and the error responses that their operations fail with. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"

export interface ErrorResponse<Status extends number = number> {
  readonly status: Status
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

export type Fails<Status extends number> = Effect.Effect<never, ErrorResponse<Status>>

export const fail = <Status extends number>(
  status: Status,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> => Effect.fail({ status, body, headers })

export const json = (body: unknown, status: number, headers: Readonly<Record<string, string>> = {}) =>
  Effect.orDie(HttpServerResponse.json(body, { status, headers }))

export const send = ({ body, headers, status }: ErrorResponse) => json(body, status, headers)
