/** Reads the current status of each resource of subscriptions. A subscription that fails does not hide the others. */
import type * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { Resources } from "@vigil/health-report/Snapshot"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Defect from "../output/Defect.js"
import type { Health } from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import { plural } from "../output/Output.js"
import * as Known from "./Known.js"
import * as Lists from "./Lists.js"

type Status = AvailabilityStatus.AvailabilityStatus

export const flag = Flag.boolean("Also read which resources are not available")

/** The lists of resources of the subscriptions that lists of events are of. */
export const listsOf = (lists: ReadonlyArray<Lists.Subject>): ReadonlyArray<Lists.Subject> =>
  lists.map(({ id, name, subject, title }) => ({
    id,
    name,
    title,
    kind: "Resources of Subscription",
    subject: subject === undefined ? "resources" : `${subject}, resources`,
  }))

/** What was read of the resources of a subscription. */
export interface Outcome extends Known.Outcome {
  /** One per resource. */
  readonly statuses: ReadonlyArray<Status>
}

/** Keeps only the used fields of an available resource: a subscription can have many thousands of these. */
const reduce = (status: Status): Status => {
  if (!AvailabilityStatus.isAvailable(status)) return status
  const {
    healthEventId = null,
    occuredTime = null,
    recentlyResolved = null,
    reportedTime = null,
    serviceImpactingEvents = null,
  } = status.properties ?? {}
  const { id = null, location = null } = status
  const used = { occuredTime, reportedTime, healthEventId, recentlyResolved, serviceImpactingEvents }
  return { id, location, properties: { availabilityState: "Available", ...used } }
}

interface Options extends Pick<Health, "apiVersion" | "listTimeout"> {
  readonly lists: ReadonlyArray<Lists.Subject>
}

/** Reads all pages of the subscriptions, and calls `onOutcome` as each ends. */
export const readLists = Effect.fnUntraced(function* <E = never, R = never>(
  availability: AvailabilityClient.Service,
  { lists, ...connection }: Options,
  onOutcome: (outcome: Outcome) => Effect.Effect<void, E, R>,
) {
  const read = (list: Lists.Subject) => {
    const pages = availability.pages(Scope.subscription(SubscriptionId.make(list.id)), {
      apiVersion: connection.apiVersion,
    })
    const reduced = Stream.map(pages, (page) => ({ ...page, items: page.items.map(reduce) }))
    return Listing.collect(reduced, Lists.attempt(connection)).pipe(
      Effect.map(({ invalid, items, problem: error }) => ({
        list,
        statuses: StatusChanges.distinct(items),
        invalid,
        error,
      })),
      Effect.catchDefect((defect) => Effect.succeed({ list, statuses: [], invalid: [], error: Defect.make(defect) })),
      Effect.tap(onOutcome),
    )
  }
  return yield* Effect.forEach(lists, read, { concurrency: Subscriptions.concurrency })
})

interface KnownStatuses extends Known.Known, Pick<Outcome, "statuses"> {}

/** More lists are counted, not named. */
const maxNames = 3

const isRead = ({ problem, readAt, statuses }: KnownStatuses): boolean =>
  problem === undefined || readAt !== undefined || statuses.length > 0

/** Merges the resources of subscriptions, and the lists of events that have them. */
export const make = (all: ReadonlyArray<KnownStatuses>, impacted: ImpactedLists.ImpactedLists): Resources => {
  const read = all.filter(isRead).map(({ list }) => list.name ?? list.id)
  const { failed, invalid } = Known.gaps(all)
  return {
    source: read.length > maxNames ? plural(read.length, "subscription") : read.join(", "),
    statuses: all.flatMap(({ statuses }) => statuses),
    invalid,
    failed: [...failed, ...ImpactedLists.failures(impacted)],
    impacted: ImpactedLists.byEvent(impacted),
    metadata: ImpactedLists.completeMetadata(impacted),
  }
}
