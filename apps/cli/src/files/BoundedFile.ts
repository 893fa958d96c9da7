/** Reads whole files of a limited size. Only regular files: reading a device or a named pipe can have effects, or never end. */
import { constants, type Stats, statSync } from "node:fs"
import { open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { UsageError } from "../flags/UsageError.js"
import { codeOf } from "./SystemError.js"

/** Why a file was not read. `detail`: the system's error code, or a clause such as "it belongs to another user". */
export class Unreadable extends Data.TaggedError("Unreadable")<{
  readonly reason: "irregular" | "missing" | "refused" | "system" | "tooLarge"
  readonly detail: string
}> {}

/** Completes the sentence "The file …". */
export const explain = ({ detail, reason }: Unreadable): string =>
  reason === "irregular" || reason === "tooLarge" ? `is ${detail}` : `could not be read (${detail})`

/** Returns why a file is not to be read, as a clause such as "it belongs to another user". */
type Refuse = (file: Stats) => string | undefined

const readOrThrow = async (path: string, maxBytes: number, refuse: Refuse): Promise<string> => {
  const check = (file: Stats) => {
    const detail = refuse(file)
    if (detail !== undefined) throw new Unreadable({ reason: "refused", detail })
    if (!file.isFile()) throw new Unreadable({ reason: "irregular", detail: "not a regular file" })
  }
  // Opening a device can have effects, and opening a FIFO waits for its writer: the check comes first.
  check(await stat(path))
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    // Another file may have taken its place.
    check(await file.stat())
    const chunks: Array<Buffer> = []
    // Some system files have no end.
    for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > maxBytes)
      throw new Unreadable({ reason: "tooLarge", detail: `larger than ${maxBytes / 1024} KB` })
    return new TextDecoder().decode(bytes)
  } finally {
    await file.close()
  }
}

/** The text of a file of at most `maxBytes` that `refuse` accepts. */
export const read = (
  path: string,
  maxBytes: number,
  refuse: Refuse = () => undefined,
): Effect.Effect<string, Unreadable> =>
  Effect.tryPromise({
    try: () => readOrThrow(path, maxBytes, refuse),
    catch: (error) => {
      if (error instanceof Unreadable) return error
      const detail = codeOf(error) ?? "unknown reason"
      return new Unreadable({ reason: detail === "ENOENT" || detail === "ENOTDIR" ? "missing" : "system", detail })
    },
  })

/** Routes and lists of subscriptions are smaller. */
const maxGiven = 10 * 1024 * 1024

/** The text of a file that the user names. `subject` starts the error, such as `The routes file`, and `advice` ends it. */
export const readGiven = (path: string, subject: string, advice: string): Effect.Effect<string, UsageError> =>
  Effect.mapError(
    read(path, maxGiven),
    ({ detail }) => new UsageError(`${subject} ${JSON.stringify(path)} can't be read (${detail}). ${advice}`),
  )

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
export const readOwned = (file: string, maxBytes: number): Effect.Effect<string, Unreadable> => {
  const me = process.getuid?.()
  return read(file, maxBytes, (stats) => {
    // Many devices are writable by all users, so their mode does not count.
    const mode = stats.isFile() ? stats.mode : 0
    return me === undefined ? undefined : distrust({ ...stats, mode }, statSync(dirname(file)), me)
  })
}
