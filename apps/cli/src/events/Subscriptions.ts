/** The subscriptions of a command: from a file or stdin. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Input } from "../Input.js"
import * as Wrap from "@vigil/health-report/Wrap"
import * as WholeFile from "../output/WholeFile.js"
import type * as Connection from "../auth/Connection.js"
import * as Source from "./Source.js"

export const flag = Flag.optional(Flag.text("file"), "File with one subscription ID per line; - is stdin")

interface Lines {
  readonly name: string
  readonly lines: ReadonlyArray<string>
}

const readFile = (file: string) =>
  Effect.map(WholeFile.read(file, "The file", "Check --subscriptions-file."), (text) => ({
    name: JSON.stringify(file),
    lines: text.split("\n"),
  }))

const readInput = Effect.flatMap(Input, ({ lines }) =>
  Effect.map(Stream.runCollect(lines), (lines) => ({ name: "stdin", lines })),
)

const parse = Effect.fnUntraced(function* ({ lines, name }: Lines) {
  const ids: Array<SubscriptionId.SubscriptionId> = []
  for (const [index, line] of lines.entries()) {
    const text = line.replace(/#.*/, "").trim()
    if (text === "") continue
    if (!Schema.is(SubscriptionId.SubscriptionId)(text))
      return yield* new UsageError(
        `Line ${index + 1} of ${name} is not a subscription ID: ${JSON.stringify(Wrap.cut(text, 60))}. Write one ID per line, without slashes.`,
      )
    ids.push(text)
  }
  return ids.length > 0
    ? Source.distinct(ids)
    : yield* new UsageError(`${name} contains no subscription IDs: write one ID per line.`)
})

/** Reads the file, or stdin for `-`. */
export const read = Effect.fnUntraced(function* (file: string) {
  return yield* parse(yield* file === "-" ? readInput : readFile(file))
})

/** The subscriptions of `--subscription` or `--subscriptions-file`, else that of the sandbox or the settings. */
export const named = (
  connection: Connection.Connection<HealthClient.Service>,
  flags: {
    readonly subscription: ReadonlyArray<string>
    readonly subscriptionsFile: string | undefined
  },
) => {
  const missing = "--subscription ID or --subscriptions-file FILE"
  if (flags.subscriptionsFile === undefined) return Source.subscriptionsOf(connection, flags.subscription, missing)
  return flags.subscription.length > 0
    ? new UsageError("--subscription and --subscriptions-file are mutually exclusive: pass one of them.")
    : read(flags.subscriptionsFile)
}
