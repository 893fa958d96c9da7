/** The error for a list whose entries are all invalid. */
import * as Data from "effect/Data"

export class NoValidEvent extends Data.TaggedError("NoValidEvent")<{
  readonly invalid: number
  /** The command that shows the entries. */
  readonly command: string
}> {
  readonly exit = "invalid"

  override get message() {
    const all = this.invalid === 1 ? "The only entry of the list is invalid" : `All ${this.invalid} entries are invalid`
    return `${all}. Run ${this.command} --output json to see what the service sent, or pass --allow-invalid to accept it.`
  }
}
