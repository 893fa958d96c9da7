/** `vigil events resources`: the resources that an event affects, of each subscription and of the tenant. */
import * as Find from "@vigil/health-client/Find"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import { type Owner, tenant } from "@vigil/health-client/Tenant"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { TrackingId } from "@vigil/health-client/TrackingId"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import { isSubscription } from "@vigil/health-verdict/Subject"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Shell from "../command/Shell.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Time from "../flags/Time.js"
import * as Columns from "../output/Columns.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import * as Printable from "../output/Printable.js"
import * as Beside from "../lists/Beside.js"
import * as EachSubscription from "../lists/EachSubscription.js"
import * as Entry from "../lists/Entry.js"
import * as Lists from "../lists/Lists.js"
import * as Pages from "../lists/Pages.js"

const resources: Printable.Definition<ImpactedResource.ImpactedResource> = {
  columns: [
    { heading: "NAME", field: "name", minWidth: 12 },
    { heading: "TYPE", field: "targetResourceType", minWidth: 12, hideOrder: 1 },
    { heading: "GROUP", field: "resourceGroup", minWidth: 8, hideOrder: 2 },
    { heading: "REGION", field: "targetRegion" },
  ],
  fields: {
    targetResourceId: ({ properties }) => properties?.targetResourceId,
    name: ImpactedResource.resourceName,
    targetResourceType: ({ properties }) => properties?.targetResourceType,
    resourceGroup: ImpactedResource.resourceGroup,
    targetRegion: ({ properties }) => properties?.targetRegion,
  },
}

interface Row {
  readonly owner: Lists.Owner
  readonly resource: ImpactedResource.ImpactedResource
}

const noun: Lists.Noun = { entry: "an impacted resource", item: "resource" }

const isSecurityAdvisory = (event: AnyEvent): boolean =>
  OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

const isEvent = (event: AnyEvent) => ({ isSecurityAdvisory: isSecurityAdvisory(event), problem: undefined })

/** The type of the event determines the operation. Resources of an unknown or invalid event of a subscription may still be listed. */
const typeOf = ({ apiVersion, client }: Connection.Health, owner: Owner, { since, trackingId }: Wanted) => {
  const query = { apiVersion, queryStartTime: since }
  const unknown = (reason: string) => Effect.succeed({ isSecurityAdvisory: false, problem: reason })
  // Without its list, the events of the tenant are unknown.
  if (!isSubscription(owner))
    return Find.find(owner, trackingId, query).pipe(
      Effect.provideService(HealthClient, client),
      Effect.map((event) => event && isEvent(event)),
      Effect.catchTag("InvalidEvent", () => unknown("is invalid")),
    )
  return client.get(owner, trackingId, query).pipe(
    Effect.map(isEvent),
    Effect.catchReasons("RequestError", {
      NotFound: () => unknown("was not found: to list the resources of a security advisory, pass an earlier --since"),
      Decode: () => unknown("is invalid"),
    }),
  )
}

interface Wanted {
  readonly since: Time.Since | undefined
  readonly trackingId: TrackingId
}

type Page = Listing.Page<ImpactedResource.ImpactedResource>

/** Selects each resource once: the tenant and a subscription may have the same. */
const distinct = () => {
  const seen = new Set<string>()
  return (page: Page): Page => {
    const isFirst = page.items.map(({ properties }) => {
      const id = properties?.targetResourceId
      return !id || seen.size < seen.add(ResourceId.key(id)).size
    })
    const offsets = page.offsets.map((offset) => isFirst.slice(0, offset).filter(Boolean).length)
    return { ...page, items: page.items.filter((_, index) => isFirst[index]), offsets }
  }
}

/** The subscription of a resource that the tenant has. */
const ownerOf = ({ owner = tenant }: Lists.Subject, { properties }: ImpactedResource.ImpactedResource): Row["owner"] =>
  isSubscription(owner)
    ? owner
    : ([ResourceId.subscription(properties?.targetResourceId)].find(Schema.is(SubscriptionId)) ?? owner)

/** The lists of the owners, and what was found: where the event is, and why its type is unknown elsewhere. */
const listsOf = (
  connection: Connection.Health,
  subjects: ReadonlyArray<Lists.Subject & { readonly owner: Owner }>,
  wanted: Wanted,
) => {
  const { apiVersion, client } = connection
  const found = { owners: new Set<Lists.Owner>(), problems: new Map<Lists.Owner, string>() }
  const isOnly = subjects.length === 1
  const select = distinct()
  const pagesOf = (owner: Owner) =>
    Stream.unwrap(
      Effect.map(typeOf(connection, owner, wanted), (type) => {
        if (type === undefined) return Stream.empty
        const { isSecurityAdvisory, problem } = type
        if (problem === undefined) found.owners.add(owner)
        else found.problems.set(owner, problem)
        return client.pagesOfImpactedResources(owner, wanted.trackingId, { apiVersion, isSecurityAdvisory }).pipe(
          Stream.tap(({ invalid, items }) =>
            Effect.sync(() => void (items.length + invalid.length > 0 && found.owners.add(owner))),
          ),
          // Of several owners, most do not have the event.
          Stream.catchIf(
            (error) =>
              !isOnly && problem !== undefined && error._tag === "RequestError" && EachSubscription.isMissing(error),
            () => Stream.empty,
          ),
          Stream.map(select),
        )
      }),
    )
  const lists = subjects.map((one): Lists.List<ImpactedResource.ImpactedResource> => ({
    ...one,
    pages: () => pagesOf(one.owner),
  }))
  return { lists, found }
}

export const command = Command.make({
  description: `List the resources that an event of subscriptions or of the tenant affects, each once. The service must support it, as Azure does. ${Columns.describe(resources.fields)}`,
  examples: ["vigil events resources D5VD-GHJ --sandbox", "vigil events resources D5VD-GHJ --sandbox --output csv"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.repeated,
    withoutTenant: Connection.withoutTenant,
    since: Time.pastTime("How far back to look for the event (default: 3d)"),
    allowInvalid: Entry.allowInvalid,
    apiVersion: Connection.apiVersion,
    columns: Columns.flag,
    output: Format.flag,
  },
  args: { id: Entry.trackingId },
  run: function* ({ allowInvalid, columns, id: trackingId, output: format, since, ...flags }) {
    const connection = yield* Connection.health(flags)
    const { names } = connection
    const ids = yield* Subscriptions.several(connection, flags)
    const beside = Beside.select(connection, flags)
    // An emerging issue names no resources.
    const isWithTenant = beside.read.includes(tenant)
    const subjects = [
      ...Lists.subjectsOf(connection, ids),
      ...(isWithTenant ? [{ ...Beside.subjectOf(tenant), owner: tenant }] : []),
    ]
    const isSeveral = ids.length > 1
    const rows = Printable.mapInput(resources, ({ resource }: Row) => resource)
    const label = isSeveral || (isWithTenant && Format.isTable(format)) ? names.label : undefined
    const definition = Printable.withSubscription(rows, ({ owner }) => [owner], label)
    const entries = Entry.definition(yield* Columns.choose(definition, format, columns))
    const { found, lists } = listsOf(connection, subjects, { since, trackingId })
    const pulling = yield* Pages.make(lists, { isSeveral, concurrency: Subscriptions.concurrency, noun })
    const parts = Stream.map(pulling.pages, ({ list, page }) =>
      Entry.fromPage(page).map(({ item, sent }) => ({
        item: item && { owner: ownerOf(list, item), resource: item },
        sent,
      })),
    )
    const { status } = yield* Output.Output
    yield* Effect.ensuring(Format.list(format, entries, parts), status(undefined))
    const [problem] = ids.flatMap((id) =>
      found.owners.has(id) || found.owners.size === 0 ? (found.problems.get(id) ?? []) : [],
    )
    if (problem !== undefined) yield* Output.note(`vigil: The type of the event is unknown, because it ${problem}.`)
    const read = pulling.read()
    const having = read.filter(({ owner }) => owner !== undefined && found.owners.has(owner))
    const where = Lists.summary(connection, having.length === 0 ? read : having)
    const invalid = Entry.remark(pulling.tally.invalid, Format.isLossless(format))
    yield* Output.note(
      `${Output.plural(pulling.tally.events, "resource")} of ${where}${pulling.remark(beside.leftOut)}${invalid}`,
    )
    yield* pulling.failIfIncomplete
    const asSent = Shell.vigil(connection, "events resources", [trackingId], ["--output", "json"])
    yield* Entry.check(pulling.tally, allowInvalid, asSent)
  },
})
