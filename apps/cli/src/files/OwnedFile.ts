/** Small text files that no other user can have written. */
import { type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as BoundedFile from "./BoundedFile.js"

/** `Ignored`: another user may have written it. `reason` is a clause such as "it belongs to another user". */
export type Result =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Ignored"; readonly reason: string }
  | { readonly _tag: "Text"; readonly text: string }

/** An unusable file. `reason` completes the sentence "The file …". */
export class UnusableFile extends Data.TaggedError("UnusableFile")<{ readonly reason: string }> {}

type Rights = Pick<Stats, "gid" | "mode" | "uid">

const root = 0

const isTrustedOwner = ({ uid }: Rights, me: number) => uid === me || uid === root

/** Whether other users can write. A group with the ID of the user is private and has no other members. */
const isShared = ({ gid, mode }: Rights, me: number) => (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== me)

/** Returns why a user other than root or `me` may have written the file. A sticky folder is unsafe too: anyone can create files there. */
export const distrust = (file: Rights, folder: Rights, me: number): string | undefined => {
  if (!isTrustedOwner(file, me)) return "it belongs to another user"
  if (isShared(file, me)) return "other users can write to it"
  if (!isTrustedOwner(folder, me)) return "its folder belongs to another user"
  return isShared(folder, me) ? "other users can write to its folder" : undefined
}

/** Reads a file of at most `maxBytes`. Fails with `UnusableFile` if it is too large, not a regular file, or unreadable. */
export const read = (file: string, maxBytes: number): Effect.Effect<Result, UnusableFile> => {
  const me = process.getuid?.()
  return BoundedFile.read(file, maxBytes, (stats) => {
    // Many devices are writable by all users, so their mode does not count.
    const mode = stats.isFile() ? stats.mode : 0
    return me === undefined ? undefined : distrust({ ...stats, mode }, statSync(dirname(file)), me)
  }).pipe(
    Effect.map((text): Result => ({ _tag: "Text", text })),
    Effect.catch((error): Effect.Effect<Result, UnusableFile> => {
      if (error.reason === "missing") return Effect.succeed({ _tag: "Missing" })
      if (error.reason === "refused") return Effect.succeed({ _tag: "Ignored", reason: error.detail })
      return new UnusableFile({ reason: BoundedFile.explain(error) })
    }),
  )
}
