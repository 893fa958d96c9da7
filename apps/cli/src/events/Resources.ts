/** `vigil events resources`: the resources that an event affects, in each subscription. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type { TrackingId } from "@vigil/health-client/TrackingId"
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
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
  readonly subscription: string
  readonly resource: ImpactedResource.ImpactedResource
}

const noun: Lists.Noun = { entry: "an impacted resource", item: "resource" }

const isSecurityAdvisory = (event: AnyEvent): boolean =>
  OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

/** The type of the event determines the operation. Resources of an unknown or invalid event may still be listed. */
const typeOf = ({ apiVersion, client }: Connection.Health, id: SubscriptionId, { since, trackingId }: Wanted) => {
  const unknown = (reason: string) => Effect.succeed({ isSecurityAdvisory: false, problem: reason })
  return client.get(id, trackingId, { apiVersion, queryStartTime: since }).pipe(
    Effect.map((event) => ({ isSecurityAdvisory: isSecurityAdvisory(event), problem: undefined })),
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

/** The lists of the subscriptions, and what was found: where the event is, and why its type is unknown elsewhere. */
const listsOf = (connection: Connection.Health, ids: ReadonlyArray<SubscriptionId>, wanted: Wanted) => {
  const { apiVersion, client } = connection
  const found = { ids: new Set<string>(), problems: new Map<string, string>() }
  const lists = Lists.ofSubscriptions<ImpactedResource.ImpactedResource>(
    connection,
    ids,
    (id) => () =>
      Stream.unwrap(
        Effect.map(typeOf(connection, id, wanted), ({ isSecurityAdvisory, problem }) => {
          if (problem === undefined) found.ids.add(id)
          else found.problems.set(id, problem)
          return client.pagesOfImpactedResources(id, wanted.trackingId, { apiVersion, isSecurityAdvisory }).pipe(
            Stream.tap(({ invalid, items }) =>
              Effect.sync(() => void (items.length + invalid.length > 0 && found.ids.add(id))),
            ),
            // Of several subscriptions, most do not have the event.
            Stream.catchIf(
              (error) =>
                ids.length > 1 &&
                problem !== undefined &&
                error._tag === "RequestError" &&
                EachSubscription.isMissing(error),
              () => Stream.empty,
            ),
          )
        }),
      ),
  )
  return { lists, found }
}

export const command = Command.make({
  description: `List the resources of subscriptions that an event affects. The service must support it, as Azure does. ${Columns.describe(resources.fields)}`,
  examples: ["vigil events resources D5VD-GHJ --sandbox", "vigil events resources D5VD-GHJ --sandbox --output csv"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.repeated,
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
    const isSeveral = ids.length > 1
    const rows = Printable.mapInput(resources, ({ resource }: Row) => resource)
    const label = isSeveral ? names.label : undefined
    const definition = Printable.withSubscription(rows, ({ subscription }) => [subscription], label)
    const entries = Entry.definition(yield* Columns.choose(definition, format, columns))
    const { found, lists } = listsOf(connection, ids, { since, trackingId })
    const pulling = yield* Pages.make(lists, { isSeveral, concurrency: Subscriptions.concurrency, noun })
    const parts = Stream.map(pulling.pages, ({ list, page }) =>
      Entry.fromPage(page).map(({ item, sent }) => ({ item: item && { subscription: list.id, resource: item }, sent })),
    )
    const { status } = yield* Output.Output
    yield* Effect.ensuring(Format.list(format, entries, parts), status(undefined))
    const [problem] = ids.flatMap((id) =>
      found.ids.has(id) || found.ids.size === 0 ? (found.problems.get(id) ?? []) : [],
    )
    if (problem !== undefined) yield* Output.note(`vigil: The type of the event is unknown, because it ${problem}.`)
    const where = names.summary(found.ids.size === 0 ? ids : ids.filter((id) => found.ids.has(id)))
    const invalid = Entry.remark(pulling.tally.invalid, Format.isLossless(format))
    yield* Output.note(`${Output.plural(pulling.tally.events, "resource")} of ${where}${invalid}`)
    yield* pulling.failIfIncomplete
    const asSent = Shell.vigil(connection, "events resources", [trackingId], ["--output", "json"])
    yield* Entry.check(pulling.tally, allowInvalid, asSent)
  },
})
