/** A token in a file that nobody else may read. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/**
 * The file can't be read (`unreadable`), is none (`not a file`), is empty (`empty`), or may be read or written by others than its
 * owner (`exposed`): then the token counts as leaked.
 *
 * @category errors
 * @since 0.1.0
 */
export class TokenFileError extends Data.TaggedError("TokenFileError")<{
  readonly file: string
  readonly reason: "unreadable" | "not a file" | "empty" | "exposed"
}> {
  override get message() {
    const file = JSON.stringify(this.file)
    switch (this.reason) {
      case "unreadable":
        return `The token's file ${file} can't be read. Check that it is there, and yours.`
      case "not a file":
        return `The token's file ${file} is not a file.`
      case "empty":
        return `The token's file ${file} is empty. Write the token into it.`
      case "exposed":
        return `Others may read or write the token's file ${file}. Delete the token in the portal, create another one, and keep it in a file of mode 600 (chmod 600).`
    }
  }
}

/** Longer than any token: what is more is none. */
const maxBytes = 16 * 1024

/**
 * Reads a token from a file of mode 600 (or 400): its text without white space around it. Others may neither read nor write
 * the file; where the system keeps no such modes (Windows), that can't be checked, and the file is refused as `exposed`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const read = (file: string): Effect.Effect<Redacted.Redacted, TokenFileError, FileSystem.FileSystem> => {
  const fail = (reason: TokenFileError["reason"]) => new TokenFileError({ file, reason })
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Opened once: what is looked at is what is read.
    const opened = yield* fs.open(file, { flag: "r" })
    const { mode, type } = yield* opened.stat
    if (type !== "File") return yield* fail("not a file")
    if ((mode & 0o077) !== 0) return yield* fail("exposed")
    const bytes = yield* opened.readAlloc(maxBytes)
    const text = bytes._tag === "Some" ? new TextDecoder().decode(bytes.value).trim() : ""
    return text === "" ? yield* fail("empty") : Redacted.make(text)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ BadArgument: () => fail("unreadable"), SystemError: () => fail("unreadable") }),
  )
}
