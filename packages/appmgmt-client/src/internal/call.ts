/** One call of the API. It fails before it is sent if the token has no right to it. */
import type * as Request from "@vigil/core-http/Request"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as Effect from "effect/Effect"
import * as ApiToken from "../ApiToken.js"
import { type CallError, TokenScopeError } from "../AppManagementError.js"

/** The client, and the description of the token, if there is one. */
export interface Caller {
  readonly service: ServiceClient.Service
  readonly token: ApiToken.Description | undefined
}

/** Sends a request. Without a scope, any token may send it. */
export const send = <A>(
  { service, token }: Caller,
  scope: ApiToken.Scope | undefined,
  request: Request.Request<A>,
): Effect.Effect<A, CallError> =>
  token !== undefined && scope !== undefined && !ApiToken.mayDo(token, scope)
    ? new TokenScopeError({ operation: request.operation, token, scope })
    : service.request(request)
