/** Calls of the API, which fail before they are sent if the token lacks the right. */
import type * as Request from "@vigil/core-http/Request"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as Effect from "effect/Effect"
import * as ApiToken from "../ApiToken.js"
import { type CallError, TokenScopeError } from "../AppManagementError.js"

export interface Caller {
  readonly service: ServiceClient.Service
  readonly token: ApiToken.Description | undefined
}

export const send = <A>(
  { service, token }: Caller,
  scope: ApiToken.Scope | undefined,
  request: Request.Request<A>,
): Effect.Effect<A, CallError> =>
  token !== undefined && scope !== undefined && !ApiToken.isAllowed(token, scope)
    ? new TokenScopeError({ operation: request.operation, token, scope })
    : service.request(request)
