/** Azure Resource Health: its settings, with tokens and subscriptions of the Azure CLI. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Program from "../auth/Program.js"
import { Incomplete, UsageError } from "../kit/Failure.js"
import * as Output from "../kit/Output.js"
import type { Argv } from "../settings/Argv.js"

export const baseUrl = "https://management.azure.com"

export const vendor = "Microsoft"

/** On Windows, `az` is a script, which only a shell can run. */
const az: Argv = process.platform === "win32" ? ["cmd", "/d", "/c", "az"] : ["az"]

/** Prints a token and its expiry. */
export const tokenCommand = (resource: string): Argv => [
  ...az,
  ..."account get-access-token --output json --resource".split(" "),
  resource,
]

const Subscription = Schema.Struct({
  id: SubscriptionId.SubscriptionId,
  name: Schema.NonEmptyString,
  isDefault: Schema.optionalKey(Schema.Boolean),
})

const decode = Schema.decodeOption(Schema.fromJsonString(Schema.NonEmptyArray(Subscription)))

const limits: Program.Limits = { time: "1 minute", output: 4 * 1024 * 1024 }

/** The subscriptions that the Azure CLI lists, its default one first. */
const list = Effect.gen(function* () {
  const outcome = yield* Program.run([...az, "account", "list", "--output", "json"], limits)
  const all = outcome._tag === "Exited" && outcome.code === 0 ? decode(outcome.stdout) : Option.none()
  if (Option.isSome(all))
    return all.value.toSorted((one, other) => Number(other.isDefault ?? false) - Number(one.isDefault ?? false))
  const advice =
    outcome._tag === "NotStarted"
      ? `It could not be started (${outcome.code}): install az`
      : "Run az login in a terminal"
  return yield* new Incomplete({
    message: `The Azure CLI listed no subscriptions. ${advice}, or pass --subscription ID.`,
  })
})

/** Offers the subscriptions. Returns the settings for the chosen ones: the first is the default. */
export const subscriptions = Effect.fnUntraced(function* <E, R>(
  ask: (question: string) => Effect.Effect<string | undefined, E, R>,
) {
  const all = yield* list
  yield* Effect.forEach(all, ({ id, name }, index) => Output.note(`${index + 1}. ${name} (${id})`))
  const answer = (yield* ask("Subscriptions, the default one first, such as 1,2 [1]: ")) ?? "1"
  const numbers = answer.split(/[\s,]+/)
  const chosen = numbers.flatMap((number) => all[Number(number) - 1] ?? [])
  if (chosen.length < numbers.length)
    return yield* new UsageError(`Nothing was written: type numbers from 1 to ${all.length}, such as 1,2.`)
  // Names are not unique.
  const names = chosen.map(({ id, name }, index) => (chosen.findIndex((one) => one.name === name) < index ? id : name))
  return {
    subscription: names[0],
    subscriptions: Object.fromEntries(chosen.map(({ id }, index) => [names[index] ?? id, id])),
  }
})
