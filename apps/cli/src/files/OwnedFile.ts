/** Small text files that no other user can have written. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { codeOf } from "./SystemError.js"

/** `Ignored`: another user may have written it. `reason` is a clause such as "it belongs to another user". */
export type Result =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Ignored"; readonly reason: string }
  | { readonly _tag: "Text"; readonly text: string }

/** An unusable file. `reason` completes the sentence "The file …". */
export class UnusableFile extends Data.TaggedError("UnusableFile")<{ readonly reason: string }> {}

type Rights = Pick<Stats, "gid" | "mode" | "uid">

const defaultMaxBytes = 64 * 1024

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

/** Why the user's own files in a folder would be ignored. `undefined` for a folder that does not exist. */
export const distrustFolder = (path: string): Effect.Effect<string | undefined> =>
  Effect.orElseSucceed(
    Effect.try(() => {
      const me = process.getuid?.()
      return me === undefined ? undefined : distrust({ uid: me, gid: me, mode: 0o600 }, statSync(path), me)
    }),
    () => undefined,
  )

/** Stops after the limit: some system files have no end. */
const readText = (descriptor: number, maxBytes: number): string => {
  const bytes = Buffer.alloc(maxBytes + 1)
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(descriptor, bytes, length, bytes.length - length, null)
  if (length > maxBytes) throw new UnusableFile({ reason: `is larger than ${maxBytes / 1024} KB` })
  return bytes.toString("utf8", 0, length)
}

/** Without `me`, the owner may be anyone. */
const check = (file: string, stats: Stats, me: number | undefined): Result | undefined => {
  // Many devices are writable by all users, so their mode does not count.
  const mode = stats.isFile() ? stats.mode : 0
  const reason = me === undefined ? undefined : distrust({ ...stats, mode }, statSync(dirname(file)), me)
  if (reason !== undefined) return { _tag: "Ignored", reason }
  if (!stats.isFile()) throw new UnusableFile({ reason: "is not a regular file" })
  return undefined
}

const readSyncOrThrow = (file: string, me: number | undefined, maxBytes: number): Result => {
  // Opening a device can have effects, and opening a FIFO waits for its writer: the check comes first.
  const before = check(file, statSync(file), me)
  if (before !== undefined) return before
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    // Another file may have taken its place.
    return check(file, fstatSync(descriptor), me) ?? { _tag: "Text", text: readText(descriptor, maxBytes) }
  } finally {
    closeSync(descriptor)
  }
}

const readAs = (file: string, me: number | undefined, maxBytes: number): Effect.Effect<Result, UnusableFile> =>
  Effect.try({ try: () => readSyncOrThrow(file, me, maxBytes), catch: (error) => error }).pipe(
    Effect.catch((error) => {
      if (error instanceof UnusableFile) return error
      const code = codeOf(error) ?? "unknown reason"
      return ["ENOENT", "ENOTDIR"].includes(code)
        ? Effect.succeed<Result>({ _tag: "Missing" })
        : new UnusableFile({ reason: `could not be read (${code})` })
    }),
  )

/** Reads a file of at most `maxBytes`, by default 64 KB. Fails with `UnusableFile` if it is too large, not a regular file, or unreadable. */
export const read = (file: string, maxBytes = defaultMaxBytes): Effect.Effect<Result, UnusableFile> =>
  readAs(file, process.getuid?.(), maxBytes)

/** Like `read`, but also reads files that other users may have written. */
export const readOfAnyOwner = (file: string): Effect.Effect<Result, UnusableFile> =>
  readAs(file, undefined, defaultMaxBytes)
