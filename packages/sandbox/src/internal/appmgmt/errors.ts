/** The error responses of the app management API, in each of the forms that were seen of such services (field notes, "App management"). */
import { fail, type Fails } from "../errorResponse.js"

/** The form of most error responses: `{ message, statusCode, code }`. */
const flat = <Status extends number>(
  statusCode: Status,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> => fail(statusCode, { message, statusCode, code }, headers)

/** The token is missing, wrong or deleted. */
export const unauthorized = flat(
  401,
  "Unauthorized",
  "Unauthorized. Correlation ID: 5b0c5d0e-0000-4000-8000-000000000000",
)

/** The token lacks the right. This form was not seen: it is that of the 401. */
export const forbidden = flat(403, "Forbidden", "The API token has no right to this operation.")

/** A POST, PUT or PATCH without a body (document, "Errors"). */
export const lengthRequired = flat(411, "LengthRequired", "A POST, PUT or PATCH must have a body; an empty one is {}.")

/** The body is over the limit. */
export const tooLarge = flat(413, "PayloadTooLarge", "The body is larger than 1 MB.")

/** The body is invalid: a message alone. */
export const invalidBody = (example: string) => fail(400, { message: `The body must be such as ${example}.` })

/** An unknown path: a code with a space. */
export const unknownPath = flat(404, "Not Found", "There is no such path.")

/** A method that the path does not have. */
export const wrongMethod = (allow: string) =>
  flat(405, "MethodNotAllowed", `This path allows ${allow} only.`, { allow })

/** An unknown app: with an ID. */
export const unknownApp = (name: string) =>
  fail(404, { id: "5b0c5d0e-0000-4000-8000-000000000404", code: "AppNotFound", message: `There is no app '${name}'.` })

/** A user who does not belong to the app: nested, with an explicit code. */
export const unknownMember = (email: string, name: string) =>
  fail(404, { error: { code: "UserNotFound", message: `There is no user '${email}' in the app '${name}'.` } })

/** An email address without an account: nested, with an integer code. */
export const unknownAccount = (email: string) =>
  fail(404, { error: { code: 404, message: `There is no account of '${email}'.` } })

/** A conflict with the current state: nested, with a code in words. */
export const conflict = (message: string) => fail(409, { error: { code: "Conflict", message } })

/** The error response of a test's `refuse`. The code of a 429 is the one that was seen. */
export const refused = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): Fails<number> => flat(status, status === 429 ? "RateLimitExceeded" : code, message, headers)
