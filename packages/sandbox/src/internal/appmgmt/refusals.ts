/** How the app management service says no: in each of the forms that were seen of such services (field notes, "App management"). */
import { STATUS_CODES } from "node:http"
import { json } from "../answer.js"

/** The form of most answers: `{ message, statusCode, code }`. */
const flat = (statusCode: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) =>
  json({ message, statusCode, code }, statusCode, headers)

/** The token is missing, wrong or deleted. */
export const unauthorized = flat(
  401,
  "Unauthorized",
  "Unauthorized. Correlation ID: 5b0c5d0e-0000-4000-8000-000000000000",
)

/** The token has no right to it; this form was not seen, and is the one of a 401. */
export const forbidden = flat(403, "Forbidden", "The API token has no right to this operation.")

/** A POST, PUT or PATCH without a body (document, "Errors"). */
export const lengthRequired = flat(411, "LengthRequired", "A POST, PUT or PATCH must have a body; an empty one is {}.")

/** The body can't be taken for what is needed: a message alone. */
export const unreadable = (expected: string) => json({ message: `The body must be ${expected}.` }, 400)

/** There is no such path, or no such method of it: a code with a space. */
export const noSuchPath = flat(404, "Not Found", "There is no such path.")

/** There is no such app: with an id. */
export const noSuchApp = (name: string) =>
  json({ id: "5b0c5d0e-0000-4000-8000-000000000404", code: "AppNotFound", message: `There is no app '${name}'.` }, 404)

/** The app has no such user: nested, with an explicit code. */
export const noSuchUser = (email: string, name: string) =>
  json({ error: { code: "UserNotFound", message: `There is no user '${email}' in the app '${name}'.` } }, 404)

/** No account has this e-mail address: nested, with an integer code. */
export const noSuchAccount = (email: string) =>
  json({ error: { code: 404, message: `There is no account of '${email}'.` } }, 404)

/** What there is stands against it: nested, with a code in words. */
export const conflict = (message: string) => json({ error: { code: "Conflict", message } }, 409)

/** A test had it refused. The code of a 429 is the one that was seen. */
export const told = (status: number, headers: Readonly<Record<string, string>>) =>
  flat(
    status,
    status === 429 ? "RateLimitExceeded" : (STATUS_CODES[status] ?? "Refused").replaceAll(" ", ""),
    "The sandbox was told to refuse.",
    headers,
  )
