/** Names of subscriptions: the ID of a name, and the name of an ID. Anyone who may rename a subscription writes its name. */
import { enumerate, plural } from "@vigil/health-text/Sentence"
import * as TerminalText from "@vigil/health-text/TerminalText"

/** A subscription and its name. */
export interface Named {
  readonly id: string
  readonly name: string
}

export interface SubscriptionNames {
  readonly all: ReadonlyArray<Named>
  /** The ID of a name. Any other text is an ID: an ID is never taken for a name. */
  readonly idOf: (text: string) => string
  /** The name of an ID for people, in one line. `undefined` without a name that leads back to the ID. */
  readonly nameOf: (id: string) => string | undefined
  /** The name of an ID, else the ID. */
  readonly label: (id: string) => string
  /** The name of an ID with the ID, else the ID. */
  readonly title: (id: string) => string
  /** Names what was read: `Prod`, `Prod and Test`, `Prod and 3 more`. Without a name, IDs are counted, except for a single one. */
  readonly summary: (ids: ReadonlyArray<string>) => string
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The IDs of Azure. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** For comparison: in lower case, without what a terminal does not show. */
export const fold = (name: string): string => TerminalText.line(name).toLowerCase()

/** Whether a text is one of these IDs, or has the form of one. */
export const isIdOf = (ids: ReadonlySet<string>) => (text: string) => isUuid(text) || ids.has(text.toLowerCase())

export const make = (all: ReadonlyArray<Named>): SubscriptionNames => {
  const isId = isIdOf(new Set(all.map(({ id }) => id.toLowerCase())))
  const exact = new Map(all.map(({ id, name }) => [name, id]))
  const byFold = Map.groupBy(all, ({ name }) => fold(name))
  const idOf = (text: string) => {
    if (isId(text)) return text
    const similar = new Set((byFold.get(fold(text)) ?? []).map(({ id }) => id))
    const [only] = similar.size === 1 ? similar : []
    return exact.get(text) ?? only ?? text
  }
  const names = new Map<string, string>()
  for (const { id, name } of all) {
    const key = id.toLowerCase()
    const shown = TerminalText.line(name)
    if (shown !== "" && idOf(shown) === id && !names.has(key)) names.set(key, shown)
  }
  const nameOf = (id: string) => names.get(id.toLowerCase())
  const title = (id: string) => {
    const name = nameOf(id)
    if (name === undefined) return id
    return name.toLowerCase().includes(id.toLowerCase()) ? name : `${name} (${id})`
  }
  const summary = (ids: ReadonlyArray<string>) => {
    const named = ids.flatMap((id) => nameOf(id) ?? [])
    const [first] = named
    if (ids.length === 1) return first ?? ids.join("")
    if (first === undefined) return plural(ids.length, "subscription")
    const rest = ids.length - 1
    return enumerate([first, ...(rest === 1 && named.length === 2 ? named.slice(1) : [`${rest} more`])])
  }
  return { all, idOf, nameOf, label: (id) => nameOf(id) ?? id, title, summary }
}
