/** The error responses of the health events API: flat (document, "Errors"), or nested by the gateway (field notes, "Errors"). */
import { fail, type Fails } from "./errorResponse.js"

export const nested = <Status extends number>(
  status: Status,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> => fail(status, { error: { code, message } }, headers)

const invalid = (code: string, message: string): Fails<400> => fail(400, { code, message })

export const unauthorized = nested(
  401,
  "AuthenticationFailed",
  "Authentication failed. The 'Authorization' header is missing or its token is invalid.",
  { "www-authenticate": "Bearer" },
)

export const forbidden = nested(403, "AuthorizationFailed", "The client is not authorized to perform this operation.")

export const unknownPath = nested(404, "InvalidResourceType", "The path does not exist.")

export const wrongMethod = (allow: string): Fails<405> =>
  nested(405, "MethodNotAllowed", `This path allows only ${allow}.`, { allow })

export const missingVersion = nested(400, "MissingApiVersionParameter", "The parameter 'api-version' is required.")

export const unsupportedVersion = (supported: ReadonlyArray<string>): Fails<400> => {
  const message = `The api-version is not supported. The supported versions are '${supported.join(",")}'.`
  return nested(400, "InvalidApiVersionParameter", message)
}

/** Also where a preview is not enabled, or for what the caller must not know. */
export const noPreview = nested(403, "Forbidden", "Access to this preview operation is not permitted.")

const notFound = (code: string, what: string): Fails<404> => nested(404, code, `The ${what} could not be found.`)

export const unknownSubscription = (id: string) => notFound("SubscriptionNotFound", `subscription '${id}'`)
export const unknownResource = (uri: string) => notFound("ResourceNotFound", `resource '${uri}'`)

export const unknownGroup = (name: string) => notFound("ResourceGroupNotFound", `resource group '${name}'`)
export const unknownEntry = (name: string) => notFound("EntityNotFound", `entity '${name}'`)

/** Without an ID of a subscription, for the tenant. */
export const unknownEvent = (trackingId: string, id: string | undefined): Fails<404> => {
  const where = id === undefined ? "in the tenant" : `in the subscription '${id}'`
  return nested(404, "EventNotFound", `The event '${trackingId}' could not be found ${where}.`)
}

export const invalidStartTime = invalid("InvalidQueryStartTime", "'queryStartTime' must be a date such as 7/24/2020.")

export const invalidFilter = invalid(
  "InvalidODataQueryOptions",
  "The value of '$filter' is invalid. Example: service eq 'A' or region eq 'b'.",
)

export const invalidSkipToken = invalid(
  "InvalidODataQueryOptions",
  "The value of '$skipToken' was not issued for this list.",
)
