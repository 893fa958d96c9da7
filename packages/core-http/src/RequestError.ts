/** Everything that a request can fail with: one closed union. */
import type {
  BodyTooLarge,
  CredentialError,
  DecodeError,
  LinkRefused,
  RedirectRefused,
  TimeoutError,
  TransportError,
} from "./HttpError.js"
import type { AnswerError } from "./ServiceError.js"

/** Everything that a request can fail with. `Effect.catchTags` and `Match.valueTags` finish it.
 * @category errors
 * @since 0.1.0 */
export type RequestError =
  | AnswerError
  | BodyTooLarge
  | CredentialError
  | DecodeError
  | LinkRefused
  | RedirectRefused
  | TimeoutError
  | TransportError
