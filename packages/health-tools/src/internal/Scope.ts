/** The subscriptions of a call, by name or ID. */
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { HealthToolError } from "../HealthToolError.js"
import * as quote from "./quote.js"

/** A subscription and its name. @category models @since 0.2.0 */
export interface NamedSubscription {
  readonly id: string
  readonly name: string
}

/** Options of the tools. @category models @since 0.2.0 */
export interface Options {
  /** The subscriptions of calls that name none. Default: none, so that such calls fail. */
  readonly subscriptions?: ReadonlyArray<SubscriptionId> | undefined
  /** Names of these and other subscriptions: answers show them, and calls may pass them instead of IDs. Default: none. */
  readonly names?: ReadonlyArray<NamedSubscription> | undefined
  /** The API version of requests. Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion | undefined
  /** The length of a result as JSON, in characters, at least 2,000. Default: 8,000. */
  readonly budget?: number | undefined
  /** Explains resources without the events of the tenant, for credentials that may not read them; see `Explain.Options`. Default: false. */
  readonly withoutTenant?: boolean | undefined
  /** How many lists the calls of a session read at once, at least 1. All sessions read half as many of one subscription. Default: 8, half of the default of the client. */
  readonly concurrency?: number | undefined
}

export const fail = (message: string) => new HealthToolError({ message })

/** IDs that differ only in case are the same. */
const fold = (text: string): string => text.toLowerCase()

/** A name of this form is never taken for the ID of another subscription. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const decode = Schema.decodeUnknownOption(SubscriptionId)

export const make = ({ names = [], subscriptions = [] }: Options) => {
  const ids = new Map<string, SubscriptionId>()
  for (const text of [...subscriptions, ...names.map(({ id }) => id)]) {
    const id = decode(text)
    if (id._tag === "Some" && !ids.has(fold(text))) ids.set(fold(text), id.value)
  }
  const nameOf = (id: string): string | undefined => {
    const found = names.find((one) => fold(one.id) === fold(id))
    return found && quote.name(found.name)
  }

  const resolve = Effect.fnUntraced(function* (text: string) {
    const known = ids.get(fold(text))
    if (known !== undefined) return known
    const exact = names.filter(({ name }) => name === text)
    const similar = exact.length > 0 ? exact : names.filter(({ name }) => fold(name) === fold(text))
    const found = uuid.test(text) ? [] : [...new Set(similar.map(({ id }) => fold(id)))]
    if (found.length > 1)
      return yield* fail(
        `${found.length} subscriptions have this name. Pass one of their IDs: ${found.slice(0, 5).join(", ")}.`,
      )
    const id = found[0] === undefined ? decode(text) : decode(ids.get(found[0]))
    return id._tag === "Some"
      ? id.value
      : yield* fail(`${JSON.stringify(quote.line(text, 60))} is neither a name nor an ID. Call health_subscriptions.`)
  })

  return {
    /** Of the operator, and those that have names. */
    all: [...ids.values()],
    /** The name of an ID, if there is one. */
    named: (id: string) => {
      const name = nameOf(id)
      return name === undefined ? { id } : { id, name }
    },
    label: (id: string): string => nameOf(id) ?? id,
    /** The subscriptions of a call, else those of the operator. */
    resolve: (
      given: ReadonlyArray<string> | undefined,
    ): Effect.Effect<ReadonlyArray<SubscriptionId>, HealthToolError> => {
      if (given?.length)
        return Effect.map(Effect.forEach(given, resolve), (all) => [
          ...new Map(all.map((id) => [fold(id), id])).values(),
        ])
      return subscriptions.length > 0
        ? Effect.succeed([...new Set(subscriptions)])
        : fail("No subscription is configured. Ask the user for subscription IDs, and pass them as subscriptions.")
    },
    /** What a text may have meant that is neither a known name nor a known ID. */
    hints: (given: ReadonlyArray<string> = []): ReadonlyArray<string> =>
      given
        .filter((text) => !ids.has(fold(text)) && !names.some(({ name }) => fold(name) === fold(text)))
        .flatMap((text) => {
          const hint = Suggestion.question(
            text,
            names.map(({ name }) => name),
            (name) => JSON.stringify(name),
          )
          return hint === "" ? [] : [`No subscription is named ${JSON.stringify(quote.line(text, 60))}.${hint}`]
        }),
  }
}

export type Scope = ReturnType<typeof make>
