/** The error responses of the health events API: flat from the service (document, "Errors"), nested from the gateway (field notes, "Errors"). */
import { fail, type Fails } from "./errorResponse.js"

/** The form of the gateway in front of the service. */
export const nested = <Status extends number>(
  status: Status,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> => fail(status, { error: { code, message } }, headers)

/** The form of the service, for an invalid query. */
const invalid = (code: string, message: string): Fails<400> => fail(400, { code, message })

export const unauthorized = nested(
  401,
  "AuthenticationFailed",
  "Authentication failed. The 'Authorization' header is missing or its token is not valid.",
  { "www-authenticate": "Bearer" },
)

export const forbidden = nested(
  403,
  "AuthorizationFailed",
  "The client does not have authorization to fetch the details of events.",
)

export const unknownPath = nested(404, "InvalidResourceType", "There is no such path.")

export const wrongMethod = (allow: string): Fails<405> =>
  nested(405, "MethodNotAllowed", `This path allows ${allow} only.`, { allow })

export const missingVersion = nested(
  400,
  "MissingApiVersionParameter",
  "The query parameter 'api-version' is required.",
)

export const unsupportedVersion = (supported: ReadonlyArray<string>): Fails<400> => {
  const list = supported.join(",")
  return nested(
    400,
    "InvalidApiVersionParameter",
    `The api-version is not supported. The supported versions are '${list}'.`,
  )
}

const notFound = (code: string, what: string): Fails<404> => nested(404, code, `The ${what} could not be found.`)

export const unknownSubscription = (id: string) => notFound("SubscriptionNotFound", `subscription '${id}'`)
export const unknownResource = (uri: string) => notFound("ResourceNotFound", `resource '${uri}'`)

export const unknownEvent = (trackingId: string, id: string): Fails<404> =>
  nested(404, "EventNotFound", `The event '${trackingId}' could not be found in the subscription '${id}'.`)

export const invalidStartTime = invalid("InvalidQueryStartTime", "'queryStartTime' must be a date such as 7/24/2020.")

export const invalidFilter = invalid(
  "InvalidODataQueryOptions",
  "The value of '$filter' can't be read. A filter is such as: service eq 'A' or region eq 'b'.",
)

export const invalidSkipToken = invalid(
  "InvalidODataQueryOptions",
  "The value of '$skipToken' was not issued for this list.",
)
