/** Small text files that no other user can have written. */
import { type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import type * as Effect from "effect/Effect"
import * as BoundedFile from "./BoundedFile.js"

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

/** Reads a file of at most `maxBytes`. Refuses one that another user may have written. */
export const read = (file: string, maxBytes: number): Effect.Effect<string, BoundedFile.Unreadable> => {
  const me = process.getuid?.()
  return BoundedFile.read(file, maxBytes, (stats) => {
    // Many devices are writable by all users, so their mode does not count.
    const mode = stats.isFile() ? stats.mode : 0
    return me === undefined ? undefined : distrust({ ...stats, mode }, statSync(dirname(file)), me)
  })
}
