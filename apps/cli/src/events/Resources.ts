/** `vigil events resources`: the resources that an event affects. */
import * as ImpactedResource from "@vigil/health-schema/ImpactedResource"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Connection from "../connection/Connection.js"
import * as InvalidEntries from "../connection/InvalidEntries.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Time from "../flags/Time.js"
import * as Columns from "../output/Columns.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as Entry from "./shared/Entry.js"

const definition: Printable.Definition<ImpactedResource.ImpactedResource> = {
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

const isSecurityAdvisory = (event: AnyEvent): boolean =>
  OpenEnum.equals(event.properties?.eventType, "SecurityAdvisory")

const unknownType = (reason: string) =>
  Effect.succeed({ isSecurityAdvisory: false, problem: `The type of the event is unknown, because it ${reason}.` })

export const command = Command.make({
  description: `List the resources of a subscription that an event affects. The service must support it, as Azure does. ${Columns.describe(definition.fields)}`,
  examples: ["vigil events resources D5VD-GHJ --sandbox", "vigil events resources D5VD-GHJ --sandbox --output csv"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.flag,
    since: Time.pastTime("How far back to look for the event (default: 3d)"),
    allowInvalid: Entry.allowInvalid,
    apiVersion: Connection.apiVersion,
    columns: Columns.flag,
    output: Format.flag,
  },
  args: { id: Entry.trackingId },
  run: function* ({ allowInvalid, columns, id: trackingId, output: format, since, ...flags }) {
    const entries = Entry.definition(yield* Columns.choose(definition, format, columns))
    const { apiVersion, client, ...connection } = yield* Connection.health(flags)
    const subscription = yield* Subscriptions.one(connection, flags.subscription)
    // The type of the event determines the operation. Resources of an unknown or invalid event may still be listed.
    const type = yield* client.get(subscription, trackingId, { apiVersion, queryStartTime: since }).pipe(
      Effect.map((event) => ({ isSecurityAdvisory: isSecurityAdvisory(event), problem: undefined })),
      Effect.catchReasons("RequestError", {
        NotFound: () =>
          unknownType("was not found: to list the resources of a security advisory, pass an earlier --since"),
        Decode: () => unknownType("is invalid"),
      }),
    )
    const total = { events: 0, invalid: 0 }
    const pages = client.pagesOfImpactedResources(subscription, trackingId, {
      apiVersion,
      isSecurityAdvisory: type.isSecurityAdvisory,
    })
    const parts = Stream.mapEffect(pages, (page) => {
      total.events += page.items.length
      total.invalid += page.invalid.length
      return Effect.as(InvalidEntries.note(page, { noun: "an impacted resource" }), Entry.fromPage(page))
    })
    yield* Format.list(format, entries, parts)
    if (type.problem !== undefined) yield* Output.note(`vigil: ${type.problem}`)
    yield* Output.note(Output.plural(total.events, "resource") + Entry.remark(total.invalid, Format.isLossless(format)))
    yield* Entry.check(total, allowInvalid, `vigil events resources ${trackingId}`)
  },
})
