/** The subscriptions of a sweep: from a file, stdin or the sandbox. */
import * as FileSystem from "@effect/platform/FileSystem"
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

export const flag = Flag.optional(
  Flag.text("file"),
  "The subscription IDs, one per line; - is stdin (default: stdin; the subscriptions of --sandbox)",
)

interface Lines {
  readonly name: string
  readonly lines: ReadonlyArray<string>
}

const ofFile = (file: string): Effect.Effect<Lines, UsageError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)).pipe(
    Effect.map((text) => ({ name: JSON.stringify(file), lines: text.split("\n") })),
    Effect.mapError(
      (error) =>
        new UsageError({
          message: `The file ${JSON.stringify(file)} can't be read (${WholeFile.reason(error)}). Check --subscriptions-file.`,
        }),
    ),
  )

const ofInput: Effect.Effect<Lines, InputError, Input> = Effect.flatMap(Input, ({ lines }) =>
  Effect.map(Stream.runCollect(lines), (all) => ({ name: "stdin", lines: [...all] })),
)

const textOf = (line: string): string => line.replace(/#.*/, "").trim()

const parse = ({ lines, name }: Lines): Effect.Effect<ReadonlyArray<SubscriptionId.SubscriptionId>, UsageError> =>
  Effect.gen(function* () {
    const ids = new Map<string, SubscriptionId.SubscriptionId>()
    for (const [index, line] of lines.entries()) {
      const text = textOf(line)
      if (text === "") continue
      if (!Schema.is(SubscriptionId.SubscriptionId)(text))
        return yield* new UsageError({
          message: `Line ${index + 1} of ${name} is no subscription: ${JSON.stringify(Table.cut(text, 60))}. Give one id without slashes a line.`,
        })
      if (!ids.has(text.toLowerCase())) ids.set(text.toLowerCase(), text)
    }
    return ids.size > 0
      ? [...ids.values()]
      : yield* new UsageError({ message: `There is no subscription in ${name}: give one id a line.` })
  })

/** The subscriptions of the file, else of stdin unless it is a terminal, else of the sandbox. */
export const read = (
  { sandbox }: Connection.Connection<HealthClient.Service>,
  file: Option.Option<string>,
): Effect.Effect<
  ReadonlyArray<SubscriptionId.SubscriptionId>,
  InputError | UsageError,
  FileSystem.FileSystem | Input
> =>
  Effect.gen(function* () {
    if (Option.isSome(file)) return yield* parse(yield* file.value === "-" ? ofInput : ofFile(file.value))
    const { isTerminal } = yield* Input
    if (isTerminal && Option.isNone(sandbox))
      return yield* new UsageError({
        message: "No subscriptions are given: give --subscriptions-file FILE, or write the ids to stdin, one a line.",
      })
    const input = isTerminal ? { name: "stdin", lines: [] } : yield* ofInput
    return Option.isSome(sandbox) && input.lines.every((line) => textOf(line) === "")
      ? sandbox.value.world.subscriptions.map(({ id }) => SubscriptionId.make(id))
      : yield* parse(input)
  })
