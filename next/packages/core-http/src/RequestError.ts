/** The union of all errors of a request. */
import type * as HttpError from "./HttpError.js"
import type { StatusError } from "./ServiceError.js"

/** Every error that a request can fail with, for `Effect.catchTags` and `Match.valueTags`. @category errors @since 0.1.0 */
export type RequestError =
  | StatusError
  | HttpError.BodyTooLarge
  | HttpError.CredentialError
  | HttpError.DecodeError
  | HttpError.LinkRefused
  | HttpError.RedirectRefused
  | HttpError.TimeoutError
  | HttpError.TransportError
