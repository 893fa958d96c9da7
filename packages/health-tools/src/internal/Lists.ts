/** The lists that a call reads: those of its subscriptions, of the tenant and of everyone. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as EmergingEvents from "@vigil/health-verdict/EmergingEvents"
import type { EventList } from "@vigil/health-verdict/EventList"
import type * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Effect from "effect/Effect"
import type * as Head from "./Head.js"
import { type Call, lastSeconds, messageOf, runIn } from "./Session.js"

const maxSubscriptions = 100

/** What a call reads. */
export interface Scope extends Picture.Scope {
  /** The subscriptions that another call has to read. */
  readonly others: ReadonlyArray<SubscriptionId>
}

/** The scope of the subscriptions that a call names, else of those of the operator. */
export const scopeOf = ({ options, scope }: Call, given: ReadonlyArray<string> | undefined) =>
  Effect.map(scope.resolve(given), (ids): Scope => ({
    subscriptions: ids.slice(0, maxSubscriptions),
    others: ids.slice(maxSubscriptions),
    withoutTenant: options.withoutTenant,
  }))

/** How lists of events are read, until the deadline. The permits of the session limit how many. */
export const optionsOf = (call: Call) => ({
  apiVersion: call.options.apiVersion,
  describe: messageOf,
  run: runIn(call),
  concurrency: "unbounded" as const,
})

/** How pictures are read: lists that do not respond leave time to those of impacted resources. */
export const pictureOptionsOf = (call: Call) => ({
  ...optionsOf(call),
  run: runIn({ ...call, deadline: call.deadline - lastSeconds * 1000 }),
  runLast: runIn(call),
})

/** The picture without banners that repeat the title of an event. */
export const distinct = (picture: Picture.Picture): Picture.Picture => {
  const all = picture.events.flatMap(({ events }) => events)
  const of = (list: EventList) =>
    list.subject === Subject.everyone ? { ...list, events: EmergingEvents.distinct(list.events, all) } : list
  return { ...picture, events: picture.events.map(of) }
}

/** The outcomes of the subscriptions of a scope. */
export const outcomesOf = (
  { others }: Scope,
  lists: ReadonlyArray<Pick<EventList, "invalid" | "problem" | "subject"> & { readonly valid: number }>,
): ReadonlyArray<Head.Outcome> => {
  const problem = `A call reads ${maxSubscriptions} subscriptions. Pass this one in another call.`
  return [
    ...lists.flatMap(({ invalid, problem, subject, valid }) =>
      Subject.isSubscription(subject) ? [{ subscription: subject, invalid: invalid.length, valid, problem }] : [],
    ),
    ...others.map((subscription) => ({ subscription, invalid: 0, valid: 0, problem })),
  ]
}
