/** A service of subscriptions with issues and resources of one region, `westeurope`, as their owners see it. */
import { Reply } from "@vigil/sandbox"
import { serveSubscriptions } from "./service.js"

/** The status of a resource in `westeurope`, which the service checked at `checked`. */
export const resource = (name: string, availabilityState: string, checked: number, properties: object = {}) => ({
  id: `/subscriptions/a/resourceGroups/g/providers/V.Web/sites/${name}/providers/V.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: { availabilityState, reportedTime: new Date(checked).toISOString(), ...properties },
})

/** An active issue of one service in some regions. */
export const issue = (name: string, eventLevel: string, regions: ReadonlyArray<string>, service = "Web") => ({
  id: `/events/${name}`,
  name,
  properties: {
    title: `Title of ${name}`,
    eventType: "ServiceIssue",
    eventLevel,
    status: "Active",
    impact: [
      {
        impactedService: service,
        impactedRegions: regions.map((impactedRegion) => ({ impactedRegion, status: "Active" })),
      },
    ],
  },
})

/** What each subscription has, which tests may change. A number is a status code. */
export interface Situation {
  readonly events: Readonly<Record<string, ReadonlyArray<unknown> | number>>
  readonly resources: Readonly<Record<string, ReadonlyArray<unknown> | number>>
}

/** `metadata`: which types of resources the services have. */
export const serveSituation = (situation: () => Situation, metadata: ReadonlyArray<unknown> = []) =>
  serveSubscriptions(
    ({ target }) => {
      if (/impactedResources/.test(target)) return Reply.page([])
      const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
      const { events, resources } = situation()
      const found = (target.includes("/availabilityStatuses") ? resources : events)[id] ?? 404
      return typeof found === "number" ? Reply.empty(found) : Reply.page(found)
    },
    { metadata },
  )
