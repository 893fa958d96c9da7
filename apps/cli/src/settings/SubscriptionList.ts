/** The setting with the subscriptions to read, in the environment and in the user's file. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Schema from "effect/Schema"
import * as SubscriptionNames from "./SubscriptionNames.js"

/** IDs or names, with commas between them. */
export const variable = "HEALTH_SUBSCRIPTION"

/** In the file: IDs with their names, or only IDs. */
export const schema = Schema.Union([
  Schema.Record(Schema.NonEmptyString, SubscriptionId.SubscriptionId),
  Schema.Array(SubscriptionId.SubscriptionId),
])

/** Completes the sentence "It must be …". */
export const expected = "an object of names and subscription IDs without slashes, or an array of IDs"

/** Without duplicates: IDs are case-insensitive. Keeps the first spelling. */
export const distinct = (
  ids: Iterable<SubscriptionId.SubscriptionId>,
): ReadonlyArray<SubscriptionId.SubscriptionId> => {
  const all = new Map<string, SubscriptionId.SubscriptionId>()
  for (const id of ids) if (!all.has(id.toLowerCase())) all.set(id.toLowerCase(), id)
  return [...all.values()]
}

interface Contents {
  readonly subscriptions?: typeof schema.Type
  /** The key of earlier releases for the one that most commands read: its ID or name. */
  readonly subscription?: string
}

/** IDs or names of subscriptions, and their source. */
export interface Given {
  readonly texts: ReadonlyArray<string>
  readonly from: { readonly kind: "environment" | "file"; readonly name: string }
}

/** The parts of a text between commas, unless the text is a name as a whole. */
export const split = (text: string, isName: (text: string) => boolean = () => false): ReadonlyArray<string> =>
  isName(text) ? [text] : text.split(",").flatMap((part) => part.trim() || [])

/** The names of the file, and the subscriptions to read: those of the environment, else those of the file. */
export const make = (text: string | undefined, { subscription, subscriptions = [] }: Contents, file: string) => {
  const named = Array.isArray(subscriptions) ? [] : Object.entries(subscriptions)
  const names = SubscriptionNames.make(named.map(([name, id]) => ({ id, name })))
  const given: Given =
    text === undefined
      ? {
          texts: [...(subscription === undefined ? [] : [subscription]), ...Object.values(subscriptions)],
          from: { kind: "file", name: file },
        }
      : { texts: split(text, (name) => names.idOf(name) !== name), from: { kind: "environment", name: variable } }
  return { names, subscriptions: given.texts.length === 0 ? undefined : given }
}
