/** Requests that only read, of pages and of single records. */
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import type * as Request from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Only the status code 200 succeeds. An error beside the data fails with the reason `Decode`, because the data may be incomplete. */
export const read = <A>(
  service: ServiceClient.Service,
  method: "GET" | "POST",
  url: string,
  { decode, ...options }: Omit<Request.Send<A>, "accepts" | "idempotent">,
): Effect.Effect<A, RequestError> =>
  service.send(HttpClientRequest.make(method)(url), {
    ...options,
    accepts: (status) => status === 200,
    idempotent: true,
    decode: (json, response) =>
      // The client reads the error.
      ErrorBody.inSuccess(json) ? Effect.fail({ path: "error", problem: "is present" }) : decode(json, response),
  })
