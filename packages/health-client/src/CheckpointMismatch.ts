/** The error for a checkpoint of another list. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { List } from "./internal/list.js"

/**
 * The checkpoint in `from` belongs to another list. Nothing was requested. `field` is the first field that differs, `expected` its value in
 * the call, `actual` its value in the checkpoint (empty: not set).
 * @category errors @since 0.1.0
 */
export class CheckpointMismatch extends Schema.TaggedError<CheckpointMismatch>()("CheckpointMismatch", {
  /** The name of the call, such as `HealthClient.pagesBySubscription`. */
  operation: Schema.String,
  field: Schema.Literals(Struct.keys(List.fields)),
  expected: Schema.String,
  actual: Schema.String,
}) {
  get service(): string {
    return "health"
  }
  readonly isRetryable: boolean = false
  override get message(): string {
    const [actual, expected] = [this.actual, this.expected].map((value) => JSON.stringify(value))
    return `${this.operation}: the checkpoint belongs to another list: its ${this.field} is ${actual}, not ${expected}. Pass the options that the list was started with, or omit from to start over.`
  }
}
