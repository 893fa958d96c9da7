/** The error for a file that could not be written, or read. `reason` is the system's error code, such as `ENOSPC`. */
import * as Data from "effect/Data"

export class FileError extends Data.TaggedError("FileError")<{
  readonly file: string
  readonly reason: string
  readonly attempt?: "read" | "written" | undefined
}> {
  readonly exit = "output"

  override get message() {
    const advice =
      this.attempt === "read"
        ? "Check the file and its permissions"
        : "Check the folder, its permissions and the free space"
    return `The file ${JSON.stringify(this.file)} could not be ${this.attempt ?? "written"} (${this.reason}). ${advice}.`
  }
}
