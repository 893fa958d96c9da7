/** The lists beside those of subscriptions: the events of the tenant, and the emerging issues as events. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionQuery } from "@vigil/health-client/Query"
import type { TrackingId } from "@vigil/health-client/TrackingId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as EventList from "@vigil/health-verdict/EventList"
import * as Subject from "@vigil/health-verdict/Subject"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import type { Since } from "../flags/Time.js"
import type * as Lists from "./Lists.js"

/** What is read of whom no subscription has, and what is left out on request. */
export type Selection = ReturnType<typeof Subject.select>

/** Which are read: none if flags select lists. */
export const select = (
  { withoutTenant }: Pick<Connection.Health, "withoutTenant">,
  flags: Lists.Flags & { readonly filter?: unknown },
): Selection => {
  const { filter, resource, serviceGroup, tenantWide } = flags
  const isSelected = [...Object.values(Subscriptions.given(flags)), tenantWide, resource, serviceGroup].some(Boolean)
  // Emerging issues cannot be filtered by the service.
  return isSelected
    ? { read: [], leftOut: [] }
    : Subject.select({ withoutTenant, withoutEveryone: filter !== undefined })
}

/** By the ID in checkpoints. No subscription has a slash in its ID. */
const ids = { Tenant: "", Everyone: "/emergingIssues" }

const kinds = { Tenant: "Tenant", Everyone: "Emerging issues" } as const

/** What a list is of. */
export const subjectOf = (owner: Subject.Shared) => {
  const title = Subject.label(owner)
  return { kind: kinds[owner._tag], id: ids[owner._tag], owner, name: undefined, title, subject: title }
}

/** What the list with this ID is called. */
export const nameOf = (id: string): string | undefined => {
  const owner = Subject.shared.find(({ _tag }) => ids[_tag] === id)
  return owner && Subject.label(owner)
}

/** The ID of the list that a checkpoint is of. */
export const idOf = ({ id, scope }: Checkpoint.List): string => (scope === "emergingIssues" ? ids.Everyone : id)

interface Query extends SubscriptionQuery<ApiVersion.ApiVersion> {
  readonly queryStartTime?: Since | undefined
}

/** The pages of emerging issues, which the service does not select by time. */
const pagesOfIssues = ({ apiVersion, queryStartTime: since }: Query, from?: Checkpoint.Checkpoint) => {
  const pages = EventList.pagesOfEveryone<Checkpoint.Checkpoint | undefined>({ apiVersion, from })
  if (since === undefined) return pages
  const select = Effect.map(DateTime.now, (now) => {
    const start = Duration.isDuration(since) ? DateTime.subtractDuration(now, since) : since
    return Stream.map(pages, (page): EventList.Page => {
      const items = page.items.filter((event) => HealthEvent.isUpdatedSince(event, start))
      const offsets = page.invalid.map(() => items.length)
      return { ...page, items, offsets, older: page.items.length - items.length }
    })
  })
  return Stream.unwrap(select)
}

/** Finds the emerging issue with this tracking ID, as an event. */
export const findIssue = (trackingId: TrackingId, query: Query) =>
  Stream.runHead(
    Stream.flatMap(pagesOfIssues(query), ({ items }) =>
      Stream.fromIterable(items.filter((event) => HealthEvent.trackingKey(event) === trackingId.toLowerCase())),
    ),
  ).pipe(Effect.map(Option.getOrUndefined))

/** The lists of a query. */
export const make = (
  { client }: Pick<Connection.Health, "client">,
  { read }: Selection,
  query: Query,
): ReadonlyArray<Lists.List> =>
  read.map((owner) => ({
    ...subjectOf(owner),
    pages: (from: Checkpoint.Checkpoint | undefined) => {
      if (owner._tag === "Tenant") return client.pagesByTenant({ ...query, from })
      const { queryStartTime = Duration.days(Limits.defaultDaysBack) } = query
      return Stream.provideService(pagesOfIssues({ ...query, queryStartTime }, from), HealthClient, client)
    },
  }))
