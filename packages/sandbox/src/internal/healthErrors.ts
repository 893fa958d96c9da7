/** The error responses of the health events API: flat from the service (document, "Errors"), nested from the gateway (field notes, "Errors"). */
import { fail } from "./errorResponse.js"

const flat = <Status extends number>(status: Status, code: string, message: string) => fail(status, { code, message })

/** The form of the gateway in front of the service. */
export const nested = <Status extends number>(
  status: Status,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
) => fail(status, { error: { code, message } }, headers)

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

export const wrongMethod = (allow: string) =>
  nested(405, "MethodNotAllowed", `This path allows ${allow} only.`, { allow })

export const missingVersion = nested(
  400,
  "MissingApiVersionParameter",
  "The query parameter 'api-version' is required.",
)

export const unsupportedVersion = (supported: ReadonlyArray<string>) =>
  nested(
    400,
    "InvalidApiVersionParameter",
    `The api-version is not supported. The supported versions are '${supported.join(",")}'.`,
  )

export const unknownSubscription = (id: string) =>
  nested(404, "SubscriptionNotFound", `The subscription '${id}' could not be found.`)

export const unknownResource = (uri: string) =>
  nested(404, "ResourceNotFound", `The resource '${uri}' could not be found.`)

export const unknownEvent = (trackingId: string, id: string) =>
  nested(404, "EventNotFound", `The event '${trackingId}' could not be found in the subscription '${id}'.`)

export const invalidStartTime = flat(400, "InvalidQueryStartTime", "'queryStartTime' must be a date such as 7/24/2020.")

export const invalidFilter = flat(
  400,
  "InvalidODataQueryOptions",
  "The value of '$filter' can't be read. A filter is such as: service eq 'A' or region eq 'b'.",
)

export const invalidSkipToken = flat(
  400,
  "InvalidODataQueryOptions",
  "The value of '$skipToken' was not issued for this list.",
)
