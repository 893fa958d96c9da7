/** The setting with the subscriptions to read, in the environment and in the user's file. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import { enumerate } from "@vigil/health-text/Sentence"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { UsageError } from "../flags/UsageError.js"
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

/** A subscription of a list: an ID or a name of the settings, and in front of an ID perhaps its new name. */
interface Part {
  readonly text: string
  readonly name: string | undefined
  readonly id: string
}

/** IDs or names of subscriptions, and their source. */
export interface Given {
  /** What the list that has them contains. */
  readonly parts?: ReadonlyArray<Part> | undefined
  readonly texts: ReadonlyArray<string>
  readonly from: { readonly kind: "environment" | "file"; readonly name: string }
}

/** The parts of a text between commas, unless the text is a name as a whole. */
export const split = (text: string, isName: (text: string) => boolean = () => false): ReadonlyArray<string> =>
  isName(text) ? [text] : text.split(",").flatMap((part) => part.trim() || [])

/** Reads `NAME=ID`. A name may contain `=`, and `isName` knows names of the settings. */
export const parse =
  (isName: (text: string) => boolean) =>
  (text: string): Part => {
    const [, name, id = text] = (isName(text) ? null : /^(.*)=([^=]*)$/.exec(text)) ?? []
    return { text, name: name?.trim(), id: id.trim() }
  }

/** Fails if a name or an ID is missing, or if several IDs have a name. */
export const check = (parts: ReadonlyArray<Part>, from: string): Effect.Effect<void, UsageError> => {
  const partial = parts.find(({ id, name }) => id === "" || name === "")
  if (partial !== undefined)
    return new UsageError(
      `${from} has ${JSON.stringify(partial.text)}, in which the ${partial.id === "" ? "ID" : "name"} is missing. Write an ID, or NAME=ID.`,
    )
  const named = parts.filter(({ name }) => name !== undefined)
  for (const [name, same] of Map.groupBy(named, ({ name }) => name)) {
    const ids = [...new Set(same.map(({ id }) => id.toLowerCase()))]
    if (ids.length > 1)
      return new UsageError(
        `${from} has the name ${JSON.stringify(name)} for ${enumerate(ids)}. Write another name for each ID.`,
      )
  }
  return Effect.void
}

/** The names, and the subscriptions to read: those of the environment, else those of the file. */
export const make = (text: string | undefined, { subscription, subscriptions = [] }: Contents, file: string) => {
  const ofFile = Array.isArray(subscriptions) ? [] : Object.entries(subscriptions).map(([name, id]) => ({ id, name }))
  const { idOf } = SubscriptionNames.make(ofFile)
  const isName = (text: string) => idOf(text) !== text
  const parts = split(text ?? "", isName).map(parse(isName))
  const named = parts.flatMap(({ id, name }) => (name === undefined ? [] : { id, name }))
  const names = SubscriptionNames.make([...ofFile, ...named])
  const given: Given =
    text === undefined
      ? {
          texts: [...(subscription === undefined ? [] : [subscription]), ...Object.values(subscriptions)],
          from: { kind: "file", name: file },
        }
      : { parts, texts: parts.map(({ id }) => id), from: { kind: "environment", name: variable } }
  return { names, subscriptions: given.texts.length === 0 ? undefined : given }
}
