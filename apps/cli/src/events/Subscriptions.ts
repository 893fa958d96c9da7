/** The subscriptions of a command: from a file, stdin or the sandbox. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Input, type InputError } from "../Input.js"
import * as Table from "../output/Table.js"
import * as WholeFile from "../output/WholeFile.js"
import type * as Connection from "../settings/Connection.js"
import * as Source from "./Source.js"

export const flag = Flag.optional(
  Flag.text("file"),
  "File with one subscription ID per line (default: stdin, or --sandbox)",
)

interface Lines {
  readonly name: string
  readonly lines: ReadonlyArray<string>
}

const readFile = (file: string): Effect.Effect<Lines, UsageError, FileSystem.FileSystem> =>
  Effect.map(WholeFile.read(file, "The file", "Check --subscriptions-file."), (text) => ({
    name: JSON.stringify(file),
    lines: text.split("\n"),
  }))

const readInput: Effect.Effect<Lines, InputError, Input> = Effect.flatMap(Input, ({ lines }) =>
  Effect.map(Stream.runCollect(lines), (all) => ({ name: "stdin", lines: [...all] })),
)

const textOf = (line: string): string => line.replace(/#.*/, "").trim()

const parse = ({ lines, name }: Lines): Effect.Effect<ReadonlyArray<SubscriptionId.SubscriptionId>, UsageError> =>
  Effect.gen(function* () {
    const ids: Array<SubscriptionId.SubscriptionId> = []
    for (const [index, line] of lines.entries()) {
      const text = textOf(line)
      if (text === "") continue
      if (!Schema.is(SubscriptionId.SubscriptionId)(text))
        return yield* new UsageError(
          `Line ${index + 1} of ${name} is not a subscription ID: ${JSON.stringify(Table.cut(text, 60))}. Write one ID per line, without slashes.`,
        )
      ids.push(text)
    }
    return ids.length > 0
      ? Source.distinct(ids)
      : yield* new UsageError(`${name} contains no subscription IDs: write one ID per line.`)
  })

/** Reads the file, or stdin for `-`. Without a file: stdin if it is not a terminal, else the sandbox. */
export const read = (
  { sandbox }: Pick<Connection.Connection<HealthClient.Service>, "sandbox">,
  file: Option.Option<string>,
) =>
  Effect.gen(function* () {
    if (Option.isSome(file)) return yield* parse(yield* file.value === "-" ? readInput : readFile(file.value))
    const { isTerminal } = yield* Input
    if (isTerminal && Option.isNone(sandbox))
      return yield* new UsageError(
        "No subscriptions are configured: pass --subscriptions-file FILE, or write one ID per line to stdin.",
      )
    const input = isTerminal ? { name: "stdin", lines: [] } : yield* readInput
    return Option.isSome(sandbox) && input.lines.every((line) => textOf(line) === "")
      ? sandbox.value.world.subscriptions.map(({ id }) => SubscriptionId.make(id))
      : yield* parse(input)
  })

export const optional = Flag.optional(
  Flag.text("file"),
  "File with one subscription ID per line, instead of --subscription",
)

/** The subscriptions of `--subscription` or `--subscriptions-file`, else that of the sandbox or the settings. */
export const named = (
  connection: Connection.Connection<HealthClient.Service>,
  flags: {
    readonly subscription: ReadonlyArray<SubscriptionId.SubscriptionId>
    readonly subscriptionsFile: Option.Option<string>
  },
) => {
  const missing = "--subscription ID or --subscriptions-file FILE"
  if (Option.isNone(flags.subscriptionsFile)) return Source.subscriptionsOf(connection, flags.subscription, missing)
  return flags.subscription.length > 0
    ? new UsageError("--subscription and --subscriptions-file are mutually exclusive: pass one of them.")
    : read(connection, flags.subscriptionsFile)
}
