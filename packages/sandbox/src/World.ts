/** The data of the health events API: deterministic, made from a seed, with a time that only changes with `setNow` and `advance`. */
import type * as Duration from "effect/Duration"
import * as dice from "./internal/world/dice.js"
import { incident, review } from "./internal/world/incident.js"
import { changesBetween, periodOf } from "./internal/world/live.js"
import { advisory, billing, emerging, maintenance, security } from "./internal/world/notice.js"
import type { Resource, StatusProperties, Subscription, World, WorldEvent } from "./internal/world/models.js"
import { isOfTenant } from "./internal/world/lookup.js"
import { regions, services } from "./internal/world/places.js"
import { day, hour, minute, randomTrackingId, spelling, type Story, worldEvent } from "./internal/world/story.js"
import { emergingIssues, tenantEvents } from "./internal/world/tenant.js"

export type {
  Resource,
  ServiceGroup,
  StatusProperties,
  Subscription,
  World,
  WorldEvent,
  WorldStatus,
} from "./internal/world/models.js"

/** Options of a world. The same options make the same world. @category models @since 0.1.0 */
export interface Options {
  readonly now: number
  /** Default: 1. */
  readonly seed?: number | undefined
  /** The vendor part of names. Default: `Vendor`. */
  readonly vendor?: string | undefined
  /** The number of subscriptions, at least 2. Default: 2. Each further one shares about 24 of the same events. */
  readonly subscriptions?: number | undefined
  /** The number of resources per subscription, at least 6. Default: 6. */
  readonly resources?: number | undefined
}

const size = 480

/** The share of each kind of event, in percent. */
const stories: ReadonlyArray<readonly [Story, number]> = [
  [incident, 42],
  [maintenance, 20],
  [advisory, 14],
  [security, 8],
  [billing, 6],
  [review, 6],
  [emerging, 4],
]

const allStories = stories.flatMap(([story, share]) => Array.from({ length: share }, () => story))

const names = ["web-1", "web-2", "orders", "archive", "images", "edge"] as const

const makeResources = (
  random: dice.Dice,
  subscriptions: ReadonlyArray<Subscription>,
  vendor: string,
): ReadonlyArray<Resource> =>
  subscriptions.flatMap(({ id, name }) =>
    random.sample(services, names.length).map((service, index) => ({
      uri: `/subscriptions/${id}/resourceGroups/${name.toLowerCase()}/providers/${vendor}.${service.type}/${names[index] ?? name}`,
      subscription: id,
      service: service.name,
      region: random.pick(regions),
    })),
  )

/** More resources, a hundred per resource group. Their names are numbers. */
const makeMore = (subscriptions: ReadonlyArray<Subscription>, vendor: string, count: number): ReadonlyArray<Resource> =>
  subscriptions.flatMap(({ id, name }) =>
    Array.from({ length: Math.max(0, count) }, (_, index) => {
      const { name: service, type } = services[index % services.length] ?? services[0]
      const region = regions[Math.floor(index / services.length) % regions.length] ?? regions[0]
      const group = `${name.toLowerCase()}-${Math.floor(index / 100) + 1}`
      const uri = `/subscriptions/${id}/resourceGroups/${group}/providers/${vendor}.${type}/${index + 1}`
      return { uri, subscription: id, service, region }
    }),
  )

/** 60 % of the events are less than three days old, the others up to 60 days. None is close to the limit of three days. */
const age = (random: dice.Dice): number =>
  random.chance(0.6) ? random.between(5 * minute, 70 * hour) : random.between(74 * hour, 60 * day)

const newestFirst = (events: ReadonlyArray<WorldEvent>): ReadonlyArray<WorldEvent> =>
  events.toSorted((a, b) => b.lastUpdate - a.lastUpdate)

/**
 * Makes the world of a seed: 480 events of subscriptions in the sixty days before `now`, 12 of the tenant, and 2 emerging issues. More subscriptions do not
 * change the first two and their events. More resources are impacted by the same events.
 * @category constructors @since 0.1.0
 */
export const make = ({
  now,
  resources: perSubscription = 6,
  seed = 1,
  vendor = "Vendor",
  ...options
}: Options): World => {
  const random = dice.make(seed)
  // Further subscriptions must not change the random numbers of the first two.
  const furtherRandom = dice.make(seed + 1_000_003)
  const firstTwo: readonly [Subscription, Subscription] = [
    { id: random.guid("a0000001"), name: "Production" },
    { id: random.guid("b0000002"), name: "Staging" },
  ]
  const further = Array.from({ length: Math.max(0, (options.subscriptions ?? 2) - 2) }, (_, index) => ({
    id: furtherRandom.guid((0xc0000003 + index).toString(16)),
    name: `Team-${index + 3}`,
  }))
  const resourcesOfTwo = makeResources(random, firstTwo, vendor)
  const resources = [
    ...resourcesOfTwo,
    ...makeResources(furtherRandom, further, vendor),
    ...makeMore([...firstTwo, ...further], vendor, perSubscription - names.length),
  ]
  const ofService = new Map(
    services.map(({ name }) => [name, resources.filter(({ service }) => service === name)] as const),
  )
  const trackingIds = new Set<string>()
  const makeTrackingId = (own: dice.Dice): string => {
    const id = randomTrackingId(own, 3)
    return trackingIds.has(id) ? makeTrackingId(own) : (trackingIds.add(id), id)
  }

  const makeEvent = (): WorldEvent => {
    const [production, staging] = firstTwo
    const some = random.pick<ReadonlyArray<Subscription>>([[production], [production], [staging], firstTwo])
    const candidates = resourcesOfTwo.filter(({ subscription }) => some.some(({ id }) => id === subscription))
    const [impacted] = random.chance(0.6) ? random.sample(candidates, 1) : []
    const service = services.find(({ name }) => name === impacted?.service) ?? random.pick(services)
    const others = random.sample(regions, random.between(0, 3)).filter((region) => region !== impacted?.region)
    const own = impacted === undefined ? (others.length === 0 ? [random.pick(regions)] : []) : [impacted.region]
    const impactedRegions = [...own, ...others]
    const trackingId = makeTrackingId(random)
    const lastUpdate = now - age(random)
    const ids = [...some, ...further.filter(() => furtherRandom.chance(0.05))].map(({ id }) => id)
    const story = allStories[random.between(0, allStories.length - 1)] ?? incident
    const setting = {
      dice: random,
      trackingId,
      now,
      lastUpdate,
      service,
      regions: impactedRegions,
      subscriptions: ids,
      time: spelling(random),
    }
    return worldEvent(story, setting, vendor, ofService.get(service.name) ?? [])
  }

  const events = newestFirst(Array.from({ length: size }, makeEvent))
  const subscriptionOf = ({ id }: Subscription) => `/subscriptions/${id}`
  const [production, staging] = firstTwo
  const stagingGroup = `${subscriptionOf(staging)}/resourceGroups/${staging.name.toLowerCase()}`
  const serviceGroups = [
    { name: "everything", members: [production, staging, ...further].map(subscriptionOf) },
    { name: "web-shop", members: [stagingGroup, ...resources.slice(0, 1).map(({ uri }) => uri)] },
  ]
  // Nor must what no subscription has.
  const tenantRandom = dice.make(seed + 2_000_003)
  const given = { now, vendor, newTrackingId: makeTrackingId, resources: resourcesOfTwo, events }
  return {
    now,
    vendor,
    subscriptions: [...firstTwo, ...further],
    resources,
    serviceGroups,
    events: newestFirst([...events, ...tenantEvents(tenantRandom, given)]),
    emergingIssues: newestFirst(emergingIssues(tenantRandom, given)),
    statuses: [],
  }
}

/** Removes the event with this ID from all lists, if it exists. @category combinators @since 0.1.0 */
export const remove =
  (id: string) =>
  (world: World): World => ({ ...world, events: world.events.filter(({ event }) => event.id !== id) })

/**
 * Adds an event, or replaces the one with the same `id`, of the tenant or of subscriptions. Lists sort and filter by `lastUpdate`, but show `event.properties.lastUpdateTime`.
 * @category combinators @since 0.1.0
 */
export const put =
  (event: WorldEvent) =>
  (world: World): World => {
    const { id } = event.event
    const isSame = (other: WorldEvent) =>
      typeof id === "string" && other.event.id === id && isOfTenant(other) === isOfTenant(event)
    return { ...world, events: newestFirst([event, ...world.events.filter((other) => !isSame(other))]) }
  }

/**
 * Adds a status of the resource with this URI. It becomes the current one, whatever the events say, and the previous one becomes the newest of
 * the history. Responses contain `properties` unchanged, but `recommendedActions` only if the request has `$expand=recommendedactions`.
 * @category combinators @since 0.2.0
 */
export const putStatus =
  (resource: string, properties: StatusProperties) =>
  (world: World): World => ({ ...world, statuses: [{ resource, properties }, ...world.statuses] })

/**
 * Sets the time of the world, in milliseconds since 1970. By default, lists go back three days from it.
 * @category combinators @since 0.1.0
 */
export const setNow =
  (now: number) =>
  (world: World): World => ({ ...world, now })

/** Options of `advance`. @category models @since 0.1.0 */
export interface AdvanceOptions {
  /** The new time of the world, in milliseconds since 1970. */
  readonly now: number
  /** The time between two changes of a subscription, at least 1 second. */
  readonly changeEvery: Duration.Input
}

/**
 * Sets the time of the world to `now`, and makes the changes of each subscription since its previous time. A service issue opens, is
 * updated twice and is resolved, one change per `changeEvery`. Then the next one opens. These events are a function of the subscription's
 * ID, `changeEvery` and `now`: any way to the same time makes the same events.
 * @category combinators @since 0.1.0
 */
export const advance =
  ({ changeEvery, now }: AdvanceOptions) =>
  (world: World): World => {
    const period = periodOf(changeEvery)
    const changed = changesBetween(world, period, now)
    if (changed.length === 0) return setNow(now)(world)
    const ids = new Set(changed.map(({ event }) => event.id))
    const others = world.events.filter(({ event }) => !ids.has(event.id))
    return { ...world, now, events: newestFirst([...changed, ...others]) }
  }
