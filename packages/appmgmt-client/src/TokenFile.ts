/** A token in a file that nobody else may read. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** Longer than any token: what is more is none. */
const maxBytes = 16 * 1024

/**
 * The file can't be read (`unreadable`), is none (`not a file`), is empty (`empty`), is larger than a token can be (`too large`), or
 * may be read or written by others than its owner (`exposed`): then the token counts as leaked.
 * @category errors
 * @since 0.1.0
 */
export class TokenFileError extends Data.TaggedError("TokenFileError")<{
  /** The path, as it was given. */
  readonly file: string
  /** Which of these it is. */
  readonly reason: "unreadable" | "not a file" | "empty" | "too large" | "exposed"
}> {
  /** Always `false`. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    const file = JSON.stringify(this.file)
    switch (this.reason) {
      case "unreadable":
        return `The token's file ${file} can't be read. Check that it is there, and yours.`
      case "not a file":
        return `The token's file ${file} is not a file.`
      case "empty":
        return `The token's file ${file} is empty. Write the token into it.`
      case "too large":
        return `The token's file ${file} is larger than ${maxBytes} bytes, which no token is. Check that it holds the token alone.`
      case "exposed":
        return `Others may read or write the token's file ${file}. Delete the token in the portal, create another one, and keep it in a file of mode 600 (chmod 600). Where files have no such modes (Windows), that can't be checked: give the token in another way there.`
    }
  }
}

/**
 * Reads a token from a file of mode 600 (or 400): its text without white space around it, 16 KiB at most. Others may neither read nor write
 * the file; where the system keeps no such modes (Windows), that can't be checked, and the file is refused as `exposed`, though its token
 * may be good: give it in another way there.
 * @category constructors
 * @since 0.1.0
 */
export const read = (file: string): Effect.Effect<Redacted.Redacted, TokenFileError, FileSystem.FileSystem> => {
  const fail = (reason: TokenFileError["reason"]) => new TokenFileError({ file, reason })
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Opening a pipe would wait for who writes to it, and can't be given up.
    if ((yield* fs.stat(file)).type !== "File") return yield* fail("not a file")
    const opened = yield* fs.open(file, { flag: "r" })
    // Of what was opened: it is what is read.
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
