/** An output that collects notes. */
import * as Effect from "effect/Effect"
import type { Output } from "../../src/output/Output.js"

/** `take` returns the notes since the last call. */
export const collectNotes = () => {
  const notes: Array<string> = []
  const output: typeof Output.Service = {
    data: () => Effect.void,
    note: (text) => Effect.sync(() => void notes.push(text)),
    status: () => Effect.void,
    width: undefined,
    color: false,
  }
  return { output, take: (): ReadonlyArray<string> => notes.splice(0, notes.length) }
}
