/** A file with one subscription per line: an ID or a name. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Input } from "../command/Input.js"
import * as BoundedFile from "../files/BoundedFile.js"
import { UsageError } from "../flags/UsageError.js"
import type { SubscriptionNames } from "../settings/SubscriptionNames.js"

/** A name may contain the `#` that starts a comment. */
const idOf = (line: string, names: SubscriptionNames): string => {
  const text = line.replace(/#.*/, "").trim()
  const id = names.idOf(line.trim())
  return text === "" || id === line.trim() ? names.idOf(text) : id
}

const parse = Effect.fnUntraced(function* (name: string, lines: ReadonlyArray<string>, names: SubscriptionNames) {
  const ids: Array<SubscriptionId.SubscriptionId> = []
  for (const [index, line] of lines.entries()) {
    const text = idOf(line, names)
    if (text === "") continue
    if (!Schema.is(SubscriptionId.SubscriptionId)(text))
      return yield* new UsageError(
        `Line ${index + 1} of ${name} is not a subscription ID: ${JSON.stringify(Wrap.cut(text, 60))}. Write one ID or name per line.`,
      )
    ids.push(text)
  }
  return ids.length > 0
    ? ids
    : yield* new UsageError(`${name} contains no subscriptions: write one ID or name per line.`)
})

/** Reads a file of subscriptions, or stdin for `-`. It may contain duplicates. */
export const read = Effect.fnUntraced(function* (file: string, names: SubscriptionNames) {
  if (file === "-") return yield* parse("stdin", yield* Stream.runCollect((yield* Input).lines), names)
  const text = yield* BoundedFile.readGiven(file, "The file", "Check --subscriptions-file.")
  return yield* parse(JSON.stringify(file), text.split("\n"), names)
})
