/** Reads a token from a file that only its owner can access. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** Larger than any token. */
const maxBytes = 16 * 1024

/**
 * The file is unreadable, not a regular file, empty, too large, or `exposed`: accessible to others than its owner.
 * @category errors @since 0.1.0
 */
export class TokenFileError extends Data.TaggedError("TokenFileError")<{
  readonly file: string
  readonly reason: "unreadable" | "not a file" | "empty" | "too large" | "exposed"
}> {
  readonly retryable: boolean = false
  override get message() {
    const file = JSON.stringify(this.file)
    switch (this.reason) {
      case "unreadable":
        return `Could not read the token file ${file}. Check its path and permissions.`
      case "not a file":
        return `The token path ${file} is not a regular file.`
      case "empty":
        return `The token file ${file} is empty. Write the token to it.`
      case "too large":
        return `The token file ${file} is larger than ${maxBytes} bytes. Check that it contains only the token.`
      case "exposed":
        return `Other users can read or write the token file ${file}. Delete the token in the portal, and store a new one in a file of mode 600 (chmod 600). On Windows, pass the token in another way, because file modes cannot be checked there.`
    }
  }
}

/**
 * Reads a token from a file of mode 600 or 400, up to 16 KiB, trimmed. Without file modes (Windows), it fails with `exposed`.
 * @category constructors @since 0.1.0
 */
export const read = (file: string): Effect.Effect<Redacted.Redacted, TokenFileError, FileSystem.FileSystem> => {
  const fail = (reason: TokenFileError["reason"]) => new TokenFileError({ file, reason })
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Opening a named pipe would wait for a writer, and cannot be interrupted.
    if ((yield* fs.stat(file)).type !== "File") return yield* fail("not a file")
    const opened = yield* fs.open(file, { flag: "r" })
    // The mode of the opened file: the path may have changed since.
    const { mode } = yield* opened.stat
    if ((mode & 0o077) !== 0) return yield* fail("exposed")
    const bytes = Option.getOrElse(yield* opened.readAlloc(maxBytes + 1), () => new Uint8Array())
    if (bytes.length > maxBytes) return yield* fail("too large")
    const text = new TextDecoder().decode(bytes).trim()
    return text === "" ? yield* fail("empty") : Redacted.make(text)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ BadArgument: () => fail("unreadable"), SystemError: () => fail("unreadable") }),
  )
}
