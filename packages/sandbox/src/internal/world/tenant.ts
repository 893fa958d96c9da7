/** What no subscription has: the events of the tenant, and the emerging issues of the service. Neither changes the states of resources. */
import type { Dice } from "./dice.js"
import { incidentAt, review } from "./incident.js"
import type { Resource, WorldEvent } from "./models.js"
import { advisory, billing, emerging, maintenance, security } from "./notice.js"
import { regions, services } from "./places.js"
import { day, hour, minute, priority, type Story, worldEvent } from "./story.js"

interface Given {
  readonly now: number
  readonly vendor: string
  readonly newTrackingId: (dice: Dice) => string
  /** Those of the first two subscriptions, by subscription. */
  readonly resources: ReadonlyArray<Resource>
  /** Those of subscriptions. */
  readonly events: ReadonlyArray<WorldEvent>
}

const outage: Story = (s) => {
  const start = s.lastUpdate - 50 * minute
  const progress = { active: true, updateCount: 2, start, updateTime: (update: number) => start + update * 35 * minute }
  const severe = { eventLevel: "Critical", level: "Critical", ...priority("ServiceIssue", "Active", "Critical") }
  return { ...incidentAt(progress)(s), ...severe }
}

const notices = [maintenance, advisory, security, billing, review]

const isOfType = ({ event: { properties } }: WorldEvent, eventType: string): boolean =>
  properties?.eventType === eventType && properties.status === "Active"

/** An event without subscriptions is of the tenant. */
const maker = (dice: Dice, { newTrackingId, now, vendor }: Given) => {
  const time = (at: number) => new Date(at).toISOString()
  return (story: Story, age: number, { region, service }: Pick<Resource, "region" | "service">): WorldEvent => {
    const setting = {
      dice,
      trackingId: newTrackingId(dice),
      now,
      lastUpdate: now - age,
      service: services.find(({ name }) => name === service) ?? services[0],
      regions: [region],
      subscriptions: [],
      time,
    }
    return worldEvent(story, setting, vendor, [])
  }
}

/** An outage that lists the last resource, notices, and the record of an issue that a subscription has, too, with another resource than there. */
export const tenantEvents = (dice: Dice, given: Given): ReadonlyArray<WorldEvent> => {
  const make = maker(dice, given)
  const place = () => ({ region: dice.pick(regions), service: dice.pick(services).name })
  const own = given.resources.slice(-1).map((resource) => ({
    ...make(outage, 40 * minute, resource),
    resources: [resource.uri],
  }))
  const others = [...notices, ...notices].map((story) => make(story, dice.between(5 * minute, 60 * day), place()))
  const shared = given.events
    .filter((one) => isOfType(one, "ServiceIssue") && given.resources.some(({ uri }) => one.resources.includes(uri)))
    .slice(0, 1)
    .map((one) => {
      const others = given.resources.filter(({ uri }) => !one.resources.includes(uri))
      return { ...one, subscriptions: [], resources: others.slice(-2, -1).map(({ uri }) => uri) }
    })
  return [...own, ...others, ...shared]
}

/** One of the service and the region of the first resource, and one that a subscription has as an event, too. */
export const emergingIssues = (dice: Dice, given: Given): ReadonlyArray<WorldEvent> => [
  ...given.resources.slice(0, 1).map((resource) => maker(dice, given)(emerging, 2 * hour, resource)),
  ...given.events.filter((one) => isOfType(one, "EmergingIssues")).slice(0, 1),
]
