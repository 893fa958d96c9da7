/** Failed requests of the health service. */
import { RequestError, type RequestReason } from "@vigil/core-http/RequestError"
import * as StatusReason from "@vigil/core-http/StatusReason"

export const failedRequest = (reason: RequestReason, operation = "A.b") =>
  new RequestError({ service: "health", operation, reason, maybeApplied: false })

/** An error response without a body. */
export const errorResponse = (status: number) => failedRequest(StatusReason.fromResponse({ status }))
