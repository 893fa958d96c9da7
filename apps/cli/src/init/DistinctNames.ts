/** Names of subscriptions that cannot be mistaken for each other. */
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as SubscriptionNames from "../settings/SubscriptionNames.js"

/** In UTF-16 code units. Azure allows 64. */
const maxLength = 100

/** Tells names apart: one that another subscription has, or that is or ends like an ID, gets its own ID. Removes what a terminal does not show. */
export const make = (all: ReadonlyArray<SubscriptionNames.Named>): ReadonlyArray<SubscriptionNames.Named> => {
  const isId = SubscriptionNames.isIdOf(new Set(all.map(({ id }) => id.toLowerCase())))
  const cleaned = all.map(({ id, name }) => ({ id, name: SafeText.cut(TerminalText.line(name), maxLength) }))
  const byFold = Map.groupBy(cleaned, ({ name }) => SubscriptionNames.fold(name))
  const isAmbiguous = (name: string) =>
    byFold.get(SubscriptionNames.fold(name))?.length !== 1 || isId(name) || isId(/\(([^()]*)\)$/.exec(name)?.[1] ?? "")
  const nameOf = ({ id, name }: SubscriptionNames.Named) => (isAmbiguous(name) ? `${name} (${id})` : name)
  return cleaned.map((one) => ({ id: one.id, name: one.name === "" ? one.id : nameOf(one) }))
}
