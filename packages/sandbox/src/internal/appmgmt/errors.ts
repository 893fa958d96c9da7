/** The error responses of the app management API, in all forms seen of such services (field notes, "App management"). */
import { fail, type Fails } from "../errorResponse.js"

const flat = <Status extends number>(
  statusCode: Status,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Fails<Status> => fail(statusCode, { message, statusCode, code }, headers)

export const unauthorized = flat(
  401,
  "Unauthorized",
  "Unauthorized. Correlation ID: 5b0c5d0e-0000-4000-8000-000000000000",
)

/** This form was not seen: it is that of the 401. */
export const forbidden = flat(403, "Forbidden", "The API token does not permit this operation.")

export const lengthRequired = flat(411, "LengthRequired", "A POST, PUT or PATCH requires a body, at least {}.")

export const tooLarge = flat(413, "PayloadTooLarge", "The body is larger than 1 MB.")

export const unknownPath = flat(404, "Not Found", "The path does not exist.")

export const wrongMethod = (allow: string) =>
  flat(405, "MethodNotAllowed", `This path allows only ${allow}.`, { allow })

export const unknownApp = (name: string) =>
  fail(404, {
    id: "5b0c5d0e-0000-4000-8000-000000000404",
    code: "AppNotFound",
    message: `The app '${name}' does not exist.`,
  })

export const unknownMember = (email: string, name: string) =>
  fail(404, { error: { code: "UserNotFound", message: `The app '${name}' has no user '${email}'.` } })

export const conflict = (message: string) => fail(409, { error: { code: "Conflict", message } })

/** Error responses of `Sandbox.refuse`. The code for 429 was seen in public. */
export const refused = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): Fails<number> => flat(status, status === 429 ? "RateLimitExceeded" : code, message, headers)
