/** Reads the current status of each resource of subscriptions. A subscription that fails does not hide the others. */
import type * as AvailabilityClient from "@vigil/availability-client/AvailabilityClient"
import * as Scope from "@vigil/availability-client/Scope"
import type * as Listing from "@vigil/health-listing/Listing"
import * as SubscriptionId from "@vigil/health-listing/SubscriptionId"
import type { FailedList, Resources } from "@vigil/health-report/Snapshot"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Flag from "../../flags/Flag.js"
import { UsageError } from "../../flags/UsageError.js"
import { plural } from "../../output/Output.js"
import * as Lists from "./Lists.js"

type Status = AvailabilityStatus.AvailabilityStatus

export const flag = Flag.boolean("Also read which resources are not available")

/** Only subscriptions list resources. */
export const checkFlags = ({ resource, resources, tenantWide }: Lists.Flags & { readonly resources: boolean }) =>
  resources && (tenantWide === true || resource !== undefined)
    ? new UsageError("--resources requires subscriptions: omit --resource and --tenant-wide.")
    : Effect.void

/** The lists of resources of the subscriptions that lists of events are of. */
export const listsOf = (lists: ReadonlyArray<Lists.Subject>): ReadonlyArray<Lists.Subject> =>
  lists.map(({ id, name, subject, title }) => ({
    id,
    name,
    title,
    kind: "Resources of Subscription",
    subject: subject === undefined ? "resources" : `${subject}, resources`,
  }))

/** What was read of the resources of a subscription: all of them, or those before the error. */
export interface Outcome {
  readonly list: Lists.Subject
  /** One per resource. */
  readonly statuses: ReadonlyArray<Status>
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
  readonly error: Listing.PagesError | undefined
}

/** Keeps only the used fields of an available resource: a subscription can have many thousands of these. */
const reduce = (status: Status): Status => {
  if (!AvailabilityStatus.isAvailable(status)) return status
  const { occuredTime = null, recentlyResolved = null } = status.properties ?? {}
  const { id = null, location = null } = status
  return { id, location, properties: { availabilityState: "Available", occuredTime, recentlyResolved } }
}

/** Reads all pages of the subscriptions, and calls `onOutcome` as each ends. */
export const readLists = Effect.fnUntraced(function* <E = never, R = never>(
  availability: AvailabilityClient.Service,
  { apiVersion, lists }: { readonly apiVersion: ApiVersion.ApiVersion; readonly lists: ReadonlyArray<Lists.Subject> },
  onOutcome: (outcome: Outcome) => Effect.Effect<void, E, R>,
) {
  const read = (list: Lists.Subject) => {
    // Pages may shift while they are read. A status without an ID is a resource of its own.
    const statuses = new Map<unknown, Status>()
    const invalid: Array<Listing.InvalidEntry> = []
    const pages = availability.pages(Scope.subscription(SubscriptionId.make(list.id)), { apiVersion })
    const take = (page: Listing.Page<Status>) =>
      Effect.sync(() => {
        for (const status of page.items)
          statuses.set(AvailabilityStatus.resourceId(status)?.toLowerCase() ?? status, reduce(status))
        for (const entry of page.invalid) invalid.push(entry)
      })
    const outcome = (error: Listing.PagesError | undefined): Outcome => ({
      list,
      statuses: [...statuses.values()],
      invalid,
      error,
    })
    return Effect.match(Stream.runForEach(pages, take), {
      onFailure: outcome,
      onSuccess: () => outcome(undefined),
    }).pipe(Effect.tap(onOutcome))
  }
  return yield* Effect.forEach(lists, read, { concurrency: Lists.concurrency })
})

/** What is known of a list. `problem`: why it could not be read. */
export interface Known extends Pick<FailedList, "readAt"> {
  readonly list: Lists.Subject
  readonly statuses: ReadonlyArray<Status>
  readonly invalid: number
  readonly problem: string | undefined
}

/** More lists are counted, not named. */
const maxNames = 3

const isRead = ({ problem, readAt, statuses }: Known): boolean =>
  problem === undefined || readAt !== undefined || statuses.length > 0

/** Merges the resources of subscriptions. */
export const make = (all: ReadonlyArray<Known>): Resources => {
  const read = all.filter(isRead).map(({ list }) => `Subscription ${list.title}`)
  return {
    source: read.length > maxNames ? plural(read.length, "subscription") : read.join(", "),
    statuses: all.flatMap(({ statuses }) => statuses),
    invalid: all.reduce((sum, { invalid }) => sum + invalid, 0),
    failed: all.flatMap(({ list, problem, readAt }) =>
      problem === undefined ? [] : [{ source: Lists.source(list), problem, readAt }],
    ),
  }
}
