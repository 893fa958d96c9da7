/** Reads files that the user names. */
import * as Effect from "effect/Effect"
import { UsageError } from "../flags/UsageError.js"
import * as BoundedFile from "./BoundedFile.js"

/** Routes and lists of subscriptions are smaller. */
const maxBytes = 10 * 1024 * 1024

/** The text of a file. `subject` starts the error, such as `The routes file`, and `advice` ends it. */
export const read = (path: string, subject: string, advice: string): Effect.Effect<string, UsageError> =>
  Effect.mapError(
    BoundedFile.read(path, maxBytes),
    ({ detail }) => new UsageError(`${subject} ${JSON.stringify(path)} can't be read (${detail}). ${advice}`),
  )
