/** An error response of the health service, without a body. */
import * as Option from "effect/Option"

export const errorResponse = (status: number) => ({
  service: "health",
  operation: "A.b",
  status,
  code: undefined,
  detail: undefined,
  requestId: undefined,
  retryAfter: Option.none(),
  maybeApplied: false,
})
