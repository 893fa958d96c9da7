/** `vigil events resources`: the resources that an event affects. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { TrackingId } from "@vigil/health-client/TrackingId"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import type { AnyEvent } from "./AnyEvent.js"
import * as Progress from "./Progress.js"
import * as Source from "./Source.js"

/** A resource as sent, or an invalid entry. */
interface Entry {
  readonly resource: ImpactedResource.ImpactedResource | undefined
  readonly sent: unknown
}

const fields = {
  targetResourceId: ({ properties }: ImpactedResource.ImpactedResource) => properties?.targetResourceId,
  name: ImpactedResource.resourceName,
  targetResourceType: ({ properties }: ImpactedResource.ImpactedResource) => properties?.targetResourceType,
  resourceGroup: ImpactedResource.resourceGroup,
  targetRegion: ({ properties }: ImpactedResource.ImpactedResource) => properties?.targetRegion,
}

const { columns, record, row, ...shape } = Format.shape<ImpactedResource.ImpactedResource>({
  columns: [
    { heading: "NAME", minWidth: 12, cell: fields.name },
    { heading: "TYPE", minWidth: 12, hideOrder: 1, cell: fields.targetResourceType },
    { heading: "GROUP", minWidth: 8, hideOrder: 2, cell: fields.resourceGroup },
    { heading: "REGION", cell: fields.targetRegion },
  ],
  fields,
})

const entryShape: Format.Shape<Entry> = {
  ...shape,
  columns,
  row: ({ resource }) => resource && row(resource),
  record: ({ resource }) => resource && record(resource),
  json: ({ sent }) => sent,
}

const entriesOf = ({ invalid, items }: Listing.ResourcePage): ReadonlyArray<Entry> => {
  const entries = items.map((resource): Entry => ({ resource, sent: resource }))
  for (const { index, raw } of invalid) entries.splice(index, 0, { resource: undefined, sent: raw })
  return entries
}

const warn = ({ invalid }: Listing.ResourcePage): Effect.Effect<void, never, Output.Output> =>
  Effect.forEach(
    invalid,
    ({ index, path, reason }) =>
      Output.note(
        `vigil: entry ${index} of a page is not an impacted resource: ${path === "" ? "it" : path} ${reason}`,
      ),
    { discard: true },
  )

/** The options of the list that has the resources of the event. */
const optionsFor = (event: AnyEvent | undefined) => ({
  isSecurityAdvisory: OpenEnum.equals(event?.properties?.eventType, "SecurityAdvisory"),
})

const maxCount = 1_000

/** A count such as `12` or `more than 1000`. `None` if the service does not list them in time: many services have no such operation. */
export const count = (
  client: HealthClient.Service,
  subscription: SubscriptionId,
  trackingId: TrackingId,
  event: AnyEvent,
): Effect.Effect<Option.Option<string>> =>
  client.impactedResources(subscription, trackingId, { ...optionsFor(event), onInvalid: () => Effect.void }).pipe(
    Stream.take(maxCount + 1),
    Stream.runCount,
    Effect.map((count) => (count > maxCount ? `more than ${maxCount}` : String(count))),
    Effect.timeout("5 seconds"),
    Effect.option,
  )

export const command = Command.make({
  name: "resources",
  description:
    "List the resources of a subscription that an event affects. The service must support it, as Azure does.",
  examples: ["vigil events resources D5VD-GHJ --sandbox", "vigil events resources D5VD-GHJ --sandbox --output csv"],
  flags: {
    ...Connection.flags,
    subscription: Source.subscription,
    apiVersion: Source.apiVersion,
    output: Format.flag,
  },
  args: { id: Source.trackingId },
  run: function* ({ apiVersion, id: trackingId, output: format, ...flags }) {
    const { client, ...connection } = yield* Connection.health(flags)
    const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
    const event = Option.getOrUndefined(yield* client.find(subscription, trackingId, { apiVersion }))
    let total = 0
    const pages = client.impactedResourcePages(subscription, trackingId, { apiVersion, ...optionsFor(event) })
    const parts = Stream.mapEffect(pages, (page) => {
      total += page.items.length
      return Effect.as(warn(page), entriesOf(page))
    })
    yield* Format.list(format, entryShape, parts)
    yield* Output.note(Progress.plural(total, "resource"))
  },
})
