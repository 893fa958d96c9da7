/** The error for a checkpoint of another list. */
import * as Data from "effect/Data"
import type { List } from "./Checkpoint.js"

/**
 * The checkpoint in `from` belongs to another list. Nothing was requested. `field` is the first field that differs, `expected` its value in
 * the call, `actual` its value in the checkpoint (empty: not set).
 * @category errors @since 0.1.0
 */
export class CheckpointMismatch extends Data.TaggedError("CheckpointMismatch")<{
  /** The name of the call, such as `HealthClient.listBySubscription`. */
  readonly operation: string
  readonly field: keyof List
  readonly expected: string
  readonly actual: string
}> {
  readonly service: string = "health"
  readonly retryable: boolean = false
  override get message() {
    const [actual, expected] = [this.actual, this.expected].map((value) => JSON.stringify(value))
    return `${this.operation}: the checkpoint belongs to another list: its ${this.field} is ${actual}, not ${expected}. Pass the options that the list was started with, or omit from to start over.`
  }
}
