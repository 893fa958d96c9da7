/** One call of the API: refused before it is sent when the token can never do it, its errors in this API's terms. */
import type * as Request from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as Effect from "effect/Effect"
import type * as ApiToken from "../ApiToken.js"
import { mayDo } from "../ApiToken.js"
import { type CallError, TokenScopeError, Unauthorized } from "../AppManagementError.js"

/** The service, and the description of the token, if one was given. */
export interface Caller {
  readonly service: ServiceClient.Service
  readonly token: ApiToken.Description | undefined
}

/** Everything but a 401, whose words are this API's own. Made of its fields: of an error, it would take the message as well. */
const inOwnTerms = (error: RequestError): Exclude<CallError, TokenScopeError> =>
  error._tag === "Unauthorized" ? new Unauthorized({ ...error }) : error

/** Sends a request that is about this; where nothing is known of what it is about, whatever the token. */
export const send = <A>(
  { service, token }: Caller,
  scope: ApiToken.Scope | undefined,
  request: Request.Request<A>,
): Effect.Effect<A, CallError> =>
  token !== undefined && scope !== undefined && !mayDo(token, scope)
    ? new TokenScopeError({ operation: request.operation, token, scope })
    : Effect.mapError(service.request(request), inOwnTerms)
