/** The setting with the subscriptions to read, in the environment and in the user's file. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Schema from "effect/Schema"
import * as SubscriptionNames from "./SubscriptionNames.js"

/** IDs, names or `NAME=ID`, with commas between them. */
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

/** The names, and the subscriptions to read: those of the environment, else those of the file. */
export const make = (text: string | undefined, { subscription, subscriptions = [] }: Contents, file: string) => {
  const ofFile = Array.isArray(subscriptions) ? [] : Object.entries(subscriptions).map(([name, id]) => ({ id, name }))
  const { idOf } = SubscriptionNames.make(ofFile)
  const isName = (text: string) => idOf(text) !== text
  const parts = split(text ?? "", isName).map((part) => {
    const [, name, id = part] = (isName(part) ? null : /^(.+)=([^=]+)$/.exec(part)) ?? []
    return { name, id }
  })
  const named = parts.flatMap(({ id, name }) => (name === undefined ? [] : { id, name }))
  const names = SubscriptionNames.make([...ofFile, ...named])
  const given: Given =
    text === undefined
      ? {
          texts: [...(subscription === undefined ? [] : [subscription]), ...Object.values(subscriptions)],
          from: { kind: "file", name: file },
        }
      : { texts: parts.map(({ id }) => id), from: { kind: "environment", name: variable } }
  return { names, subscriptions: given.texts.length === 0 ? undefined : given }
}
