/** The world that the sandbox serves: seeded, deterministic, and standing still at its `now`. */
import * as dice from "./internal/world/dice.js"
import { incident, review } from "./internal/world/incident.js"
import { advisory, billing, emerging, maintenance, security } from "./internal/world/notice.js"
import { regions, services, type Service } from "./internal/world/places.js"
import { day, hour, minute, spelling, type Story, type WireEvent } from "./internal/world/wire.js"

/**
 * A subscription of the world.
 *
 * @category models
 * @since 0.1.0
 */
export interface Subscription {
  readonly id: string
  readonly name: string
}

/**
 * A resource of the world, in one service and one region of a subscription.
 *
 * @category models
 * @since 0.1.0
 */
export interface Resource {
  readonly uri: string
  readonly subscription: string
  readonly service: string
  readonly region: string
}

/**
 * An event of the world, as the newest version sends it with nothing withheld, and whom it concerns. `lastUpdate` is in
 * milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorldEvent {
  readonly event: WireEvent
  readonly lastUpdate: number
  readonly subscriptions: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

/**
 * Everything that there is, the events newest first. `now` is in milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface World {
  readonly now: number
  readonly vendor: string
  readonly subscriptions: readonly [Subscription, Subscription]
  readonly resources: ReadonlyArray<Resource>
  readonly events: ReadonlyArray<WorldEvent>
}

/**
 * What a world is made of. The same seed and `now` (milliseconds since 1970) make the same world.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly now: number
  readonly seed?: number | undefined
  readonly vendor?: string | undefined
}

const size = 480

/** How often each kind of story is told, in a hundred. */
const stories: ReadonlyArray<readonly [Story, number]> = [
  [incident, 42],
  [maintenance, 20],
  [advisory, 14],
  [security, 8],
  [billing, 6],
  [review, 6],
  [emerging, 4],
]

const pickStory = (roll: number): Story => {
  let rest = roll
  return stories.find(([, share]) => (rest -= share) < 0)?.[0] ?? incident
}

const names = ["web-1", "web-2", "orders", "archive", "images", "edge"] as const

const makeResources = (
  random: dice.Dice,
  subscriptions: ReadonlyArray<Subscription>,
  vendor: string,
): ReadonlyArray<Resource> =>
  subscriptions.flatMap(({ id, name }) =>
    random.sample(services, names.length).map((service: Service, index) => ({
      uri: `/subscriptions/${id}/resourceGroups/${name.toLowerCase()}/providers/${vendor}.${service.type}/${names[index] ?? name}`,
      subscription: id,
      service: service.name,
      region: random.pick(regions),
    })),
  )

/** Most of what happened was updated in the last three days, the rest over two months; nothing at the edge. */
const age = (random: dice.Dice): number =>
  random.chance(0.6) ? random.between(5 * minute, 70 * hour) : random.between(74 * hour, 60 * day)

/**
 * Makes the world of a seed: 480 events in two subscriptions, over the sixty days before `now`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ now, seed = 1, vendor = "Vendor" }: Options): World => {
  const random = dice.make(seed)
  const subscriptions: World["subscriptions"] = [
    { id: random.guid("a0000001"), name: "Production" },
    { id: random.guid("b0000002"), name: "Staging" },
  ]
  const resources = makeResources(random, subscriptions, vendor)
  const ids = new Set<string>()
  const trackingId = (): string => {
    const id = `${random.text("BCDFGHJKLMNPQRSTVWXZ0123456789", 4)}-${random.text("BCDFGHJKLMNPQRSTVWXZ0123456789", 3)}`
    return ids.has(id) ? trackingId() : (ids.add(id), id)
  }

  const tell = (): WorldEvent => {
    const concerned = random.pick<ReadonlyArray<Subscription>>([
      subscriptions.slice(0, 1),
      subscriptions.slice(0, 1),
      subscriptions.slice(1),
      subscriptions,
    ])
    const own = resources.filter(({ subscription }) => concerned.some(({ id }) => id === subscription))
    const [hit] = random.chance(0.6) ? random.sample(own, 1) : []
    const service = services.find(({ name }) => name === hit?.service) ?? random.pick(services)
    const others = random.sample(regions, random.between(0, 3)).filter((region) => region !== hit?.region)
    const where = hit === undefined ? (others.length === 0 ? [random.pick(regions)] : others) : [hit.region, ...others]
    const name = trackingId()
    const lastUpdate = now - age(random)
    const ofSubscriptions = concerned.map(({ id }) => id)
    const properties = pickStory(random.between(0, 99))({
      dice: random,
      trackingId: name,
      now,
      lastUpdate,
      service,
      regions: where,
      subscriptions: ofSubscriptions,
      time: spelling(random),
    })
    return {
      event: {
        id: `/providers/${vendor}.ResourceHealth/events/${name}`,
        name,
        type: `/providers/${vendor}.ResourceHealth/events`,
        ...(random.chance(0.2) ? { location: "global" } : {}),
        properties,
      },
      lastUpdate,
      subscriptions: ofSubscriptions,
      resources: own
        .filter((resource) => resource.service === service.name && where.includes(resource.region))
        .map(({ uri }) => uri),
    }
  }

  const events = Array.from({ length: size }, tell).toSorted((a, b) => b.lastUpdate - a.lastUpdate)
  return { now, vendor, subscriptions, resources, events }
}
