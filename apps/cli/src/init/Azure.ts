/** Azure Resource Health: its settings, with tokens and subscriptions of the Azure CLI. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CommandError } from "../command/CommandError.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import type { Argv } from "../settings/Argv.js"
import * as SubscriptionList from "../settings/SubscriptionList.js"
import * as SubscriptionNames from "../settings/SubscriptionNames.js"
import * as AzureCli from "../tokens/AzureCli.js"
import * as Program from "../tokens/Program.js"
import * as DistinctNames from "./DistinctNames.js"
import * as Question from "./Question.js"

export const baseUrl = "https://management.azure.com"

export const vendor = "Microsoft"

/** Prints a token and its expiry. */
export const tokenCommand = (resource: string): Argv =>
  AzureCli.argv(..."account get-access-token --output json --resource".split(" "), resource)

const Subscription = Schema.Struct({
  id: SubscriptionId.SubscriptionId,
  name: Schema.optionalKey(Schema.Unknown),
  isDefault: Schema.optionalKey(Schema.Unknown),
})

const decodeList = Schema.decodeOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

const decode = Schema.decodeUnknownOption(Subscription)

/** The Azure CLI prints about 450 bytes for each subscription. */
const limits: Program.Limits = { time: "1 minute", output: 16 * 1024 * 1024 }

/** Each subscription once, with a name of its own, first the one that the Azure CLI uses. Entries without an ID are left out. */
const distinct = (entries: ReadonlyArray<unknown>): ReadonlyArray<SubscriptionNames.Named> => {
  const found = entries.flatMap((one) => Option.toArray(decode(one)))
  const sorted = found.toSorted((one, other) => Number(other.isDefault === true) - Number(one.isDefault === true))
  const byId = new Map(sorted.toReversed().map((one) => [one.id.toLowerCase(), one]))
  const unique = sorted.filter((one) => byId.get(one.id.toLowerCase()) === one)
  return DistinctNames.make(unique.map(({ id, name }) => ({ id, name: typeof name === "string" ? name : "" })))
}

/** `isList`: it printed a JSON array. */
const explain = (outcome: Program.Outcome, isList: boolean): string => {
  switch (outcome._tag) {
    case "NotStarted":
      return `It could not be started (${outcome.code}): install az`
    case "TimedOut":
      return `It did not end within ${String(limits.time)}: run az account list in a terminal`
    case "TooLarge":
      return `It printed more than ${limits.output / 1024 ** 2} MB: run az account list in a terminal`
    case "Exited": {
      const sentence = AzureCli.sentence(outcome)
      if (sentence !== undefined) return `It says: ${sentence} Run az login in a terminal`
      if (isList) return "Run az login in a terminal"
      const problem =
        outcome.code === 0 ? "printed no list" : `failed (${outcome.signal ?? `exit code ${outcome.code}`})`
      return `It ${problem}: run az account list in a terminal`
    }
  }
}

/** The subscriptions that the Azure CLI lists. */
const list = Effect.gen(function* () {
  const { status } = yield* Output.Output
  yield* status("Waiting for az account list")
  const outcome = yield* Effect.ensuring(
    Program.run(AzureCli.argv("account", "list", "--output", "json"), limits),
    status(undefined),
  )
  const entries = outcome._tag === "Exited" && outcome.code === 0 ? decodeList(outcome.stdout) : Option.none()
  const all = distinct(Option.getOrElse(entries, () => []))
  if (all.length > 0) return all
  return yield* new CommandError(
    "incomplete",
    `The Azure CLI listed no subscriptions. ${explain(outcome, Option.isSome(entries))}, or pass --subscription ID.`,
  )
})

/** The subscriptions, and their names. */
interface Listed extends SubscriptionNames.SubscriptionNames {
  readonly all: ReadonlyArray<SubscriptionNames.Named>
}

/** The ID in the list that a name or an ID means. */
const find = ({ all, idOf }: Listed, text: string): string | undefined =>
  all.find(({ id }) => id.toLowerCase() === idOf(text).toLowerCase())?.id

/** An answer has numbers of the list, names or IDs. */
const readAnswer = (listed: Listed) => (answer: string | undefined) => {
  const { all } = listed
  const texts = SubscriptionList.split(answer ?? "", (text) => find(listed, text) !== undefined)
  const ids = texts.map((text) => all[Number(text) - 1]?.id ?? find(listed, text))
  return ids.includes(undefined)
    ? new UsageError(`The answer must have numbers from 1 to ${all.length}, names or IDs, with commas between them.`)
    : Effect.succeed(ids.length === 0 ? all.map(({ id }) => id) : ids.flatMap((id) => id ?? []))
}

/** A flag is a name or an ID. The Azure CLI lists only IDs of the accounts that are signed in. */
const readFlag = (listed: Listed, text: string) => {
  const id = find(listed, text) ?? (SubscriptionNames.isUuid(text) ? text : undefined)
  if (id !== undefined) return Effect.succeed(id)
  const isNamed = ({ id, name }: SubscriptionNames.Named) =>
    SubscriptionNames.fold(name) === SubscriptionNames.fold(`${text} (${id})`)
  const same = listed.all.filter(isNamed).map(({ id }) => id)
  if (same.length > 1)
    return new UsageError(
      `--subscription ${JSON.stringify(text)} is the name of ${same.length} subscriptions. Pass an ID, such as ${same.slice(0, 3).join(", ")}.`,
    )
  const names = listed.all.map(({ name }) => name)
  const hint = Suggestion.question(text, names, (name) => JSON.stringify(name))
  return new UsageError(`--subscription ${JSON.stringify(text)} is not one of az account list.${hint}`)
}

/** The names and IDs of the given subscriptions, else of the chosen ones of those that the Azure CLI lists. */
export const subscriptions = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const { note } = yield* Output.Output
  const all = yield* Effect.catch(list, (error) =>
    given.length > 0 && given.every(SubscriptionNames.isUuid)
      ? Effect.as(note(`vigil: ${error.message}`), [])
      : Effect.fail(error),
  )
  const listed = SubscriptionNames.make(all)
  if (given.length === 0)
    yield* Effect.forEach(all, ({ id }, index) => note(`${index + 1}. ${listed.title(id)}`), { discard: true })
  const ids =
    given.length === 0
      ? yield* Question.ask("Subscriptions to read, such as 1, 3 [all]: ", readAnswer(listed))
      : yield* Effect.forEach(given, (text) => readFlag(listed, text))
  return Object.fromEntries(ids.map((id) => [all.find((one) => one.id === id)?.name ?? id, id]))
})
