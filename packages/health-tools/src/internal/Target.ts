/** The resource of a call: by its ID, or by its name in the subscriptions. */
import type { Gap } from "@vigil/health-verdict/Evidence"
import * as Explain from "@vigil/health-verdict/Explain"
import * as ResourceName from "@vigil/health-verdict/ResourceName"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Head from "./Head.js"
import { fail } from "./Scope.js"
import { type Call, attempt } from "./Session.js"
import * as quote from "./quote.js"

/** For the search and for the explanation, within the time of a call. In milliseconds. */
const limits = { search: 7000, explanation: 17_000 }

interface Given {
  readonly resource: string
  readonly subscriptions?: ReadonlyArray<string> | undefined
}

const parse = (id: string) =>
  Effect.mapError(Effect.fromOption(Explain.parse(id)), () =>
    fail("resource is neither a name nor the ID of a resource: /subscriptions/…/providers/…"),
  )

/** `failed`: the other subscriptions whose lists of names could not be read. */
const found = (target: Explain.Target, sameName?: Gap, failed: ReadonlyArray<Head.Outcome> = []) => ({
  _tag: "Found" as const,
  target,
  sameName,
  failed,
  timeLimit: limits.explanation,
})

/** A text with a slash is an ID. Fails if several resources have the name, or none and all lists were read. */
export const find = Effect.fnUntraced(function* (call: Call, { resource, subscriptions: given }: Given) {
  if (resource.includes("/")) return found(yield* parse(resource))
  const subscriptions = yield* call.scope.resolve(given)
  const deadline = (yield* Clock.currentTimeMillis) + limits.search
  const { ids, lists } = yield* ResourceName.find(resource, subscriptions, {
    apiVersion: call.options.apiVersion,
    attempt: (list, subscription) => attempt({ ...call, deadline }, subscription, list),
    concurrency: "unbounded",
  })
  const name = JSON.stringify(quote.line(resource, 100))
  if (ids.length > 1)
    return yield* fail(
      `${ids.length} resources have the name ${name}. Call health_resources with name ${name}, and pass the quotedId of one as resource.`,
    )
  const problems = lists.flatMap(({ problem, subscription }) =>
    problem === undefined ? [] : [`${call.scope.label(subscription)}: ${problem}`],
  )
  const invalid = lists.reduce((sum, { invalid }) => sum + invalid, 0)
  const outcomes = lists.map(({ invalid, problem, subscription }): Head.Outcome => ({
    subscription,
    invalid,
    valid: 0,
    problem,
  }))
  const target = Explain.parse(ids[0] ?? "")
  if (Option.isSome(target)) {
    const own = target.value.subscription.toLowerCase()
    const failed = outcomes.filter((one) => one.problem !== undefined && one.subscription.toLowerCase() !== own)
    return found(target.value, { invalid, problem: problems.join(" ") || undefined }, failed)
  }
  if (problems.length === 0 && invalid === 0)
    return yield* fail(
      `No resource of ${lists.length} subscriptions has the name ${name}. It may be deleted, or in another subscription. health_resources lists the names.`,
    )
  return {
    _tag: "Unread" as const,
    answer: `No resource that could be read has the name ${quote.line(resource, 100)}. Pass its ID.`,
    outcomes,
  }
})
