/** The world that the sandbox serves: seeded, deterministic, standing still at its `now` until someone changes it. */
import * as dice from "./internal/world/dice.js"
import { incident, review } from "./internal/world/incident.js"
import { advisory, billing, emerging, maintenance, security } from "./internal/world/notice.js"
import { regions, services, type Service } from "./internal/world/places.js"
import { day, hour, minute, spelling, type Story, type WireEvent } from "./internal/world/story.js"

/**
 * A subscription of the world.
 * @category models
 * @since 0.1.0
 */
export interface Subscription {
  /** A UUID. */
  readonly id: string
  /** What it is called. */
  readonly name: string
}

/**
 * A resource of the world, in one service and one region of a subscription.
 * @category models
 * @since 0.1.0
 */
export interface Resource {
  /** Its address. */
  readonly uri: string
  /** The id of the subscription that it is in. */
  readonly subscription: string
  /** The name of its service. */
  readonly service: string
  /** The name of its region. */
  readonly region: string
}

/**
 * An event of the world, as the newest version sends it with nothing withheld, and whom it concerns. `lastUpdate` is in
 * milliseconds since 1970.
 * @category models
 * @since 0.1.0
 */
export interface WorldEvent {
  /** As it is on the wire. */
  readonly event: WireEvent
  readonly lastUpdate: number
  /** The ids of those that it concerns. */
  readonly subscriptions: ReadonlyArray<string>
  /** The addresses of those that it concerns. */
  readonly resources: ReadonlyArray<string>
}

/**
 * Everything that there is, the events newest first. `now` is in milliseconds since 1970.
 * @category models
 * @since 0.1.0
 */
export interface World {
  readonly now: number
  /** The vendor part of the names in it. */
  readonly vendor: string
  /** At least two, which share events. */
  readonly subscriptions: readonly [Subscription, Subscription, ...ReadonlyArray<Subscription>]
  /** Of all subscriptions. */
  readonly resources: ReadonlyArray<Resource>
  /** Each once, whomever it concerns. */
  readonly events: ReadonlyArray<WorldEvent>
}

/**
 * What a world is made of. The same seed and `now` (milliseconds since 1970) make the same world.
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly now: number
  /** Which world. Default: 1. */
  readonly seed?: number | undefined
  /** The vendor part of the names in it. Default: `Vendor`. */
  readonly vendor?: string | undefined
  /** How many subscriptions there are, at least 2. Default: 2. Each further one is concerned by about 24 of the same events. */
  readonly subscriptions?: number | undefined
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

/** The subscriptions after the first two. */
const makeFurther = (random: dice.Dice, count: number): ReadonlyArray<Subscription> =>
  Array.from({ length: Math.max(0, count - 2) }, (_, index) => ({
    id: random.guid((0xc0000003 + index).toString(16)),
    name: `Team-${index + 3}`,
  }))

/** Most of what happened was updated in the last three days, the rest over two months; nothing at the edge. */
const age = (random: dice.Dice): number =>
  random.chance(0.6) ? random.between(5 * minute, 70 * hour) : random.between(74 * hour, 60 * day)

/**
 * Makes the world of a seed: 480 events over the sixty days before `now`, in two subscriptions or more. With more of them the
 * first two, and their events, stay the same.
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ now, seed = 1, subscriptions: count = 2, vendor = "Vendor" }: Options): World => {
  const random = dice.make(seed)
  // What the further subscriptions throw must not change what the first two do.
  const others = dice.make(seed + 1_000_003)
  const firstTwo: readonly [Subscription, Subscription] = [
    { id: random.guid("a0000001"), name: "Production" },
    { id: random.guid("b0000002"), name: "Staging" },
  ]
  const further = makeFurther(others, count)
  const resourcesOfTwo = makeResources(random, firstTwo, vendor)
  const resources = [...resourcesOfTwo, ...makeResources(others, further, vendor)]
  const ids = new Set<string>()
  const trackingId = (): string => {
    const id = `${random.text("BCDFGHJKLMNPQRSTVWXZ0123456789", 4)}-${random.text("BCDFGHJKLMNPQRSTVWXZ0123456789", 3)}`
    return ids.has(id) ? trackingId() : (ids.add(id), id)
  }

  const tell = (): WorldEvent => {
    const concerned = random.pick<ReadonlyArray<Subscription>>([
      firstTwo.slice(0, 1),
      firstTwo.slice(0, 1),
      firstTwo.slice(1),
      firstTwo,
    ])
    const own = resourcesOfTwo.filter(({ subscription }) => concerned.some(({ id }) => id === subscription))
    const [hit] = random.chance(0.6) ? random.sample(own, 1) : []
    const service = services.find(({ name }) => name === hit?.service) ?? random.pick(services)
    const elsewhere = random.sample(regions, random.between(0, 3)).filter((region) => region !== hit?.region)
    const where =
      hit === undefined ? (elsewhere.length === 0 ? [random.pick(regions)] : elsewhere) : [hit.region, ...elsewhere]
    const name = trackingId()
    const lastUpdate = now - age(random)
    const ofSubscriptions = [...concerned, ...further.filter(() => others.chance(0.05))].map(({ id }) => id)
    const everyone = new Set(ofSubscriptions)
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
      resources: resources
        .filter(
          ({ region, service: of, subscription }) =>
            everyone.has(subscription) && of === service.name && where.includes(region),
        )
        .map(({ uri }) => uri),
    }
  }

  const events = Array.from({ length: size }, tell).toSorted((a, b) => b.lastUpdate - a.lastUpdate)
  return { now, vendor, subscriptions: [...firstTwo, ...further], resources, events }
}

/**
 * The world without the event whose `id` is this; the same when there is none.
 * @category combinators
 * @since 0.1.0
 */
export const remove =
  (id: string) =>
  (world: World): World => ({ ...world, events: world.events.filter(({ event }) => event.id !== id) })

/**
 * The world with this event, in the place of the one that has the same `id` if there is one. Events stay sorted, newest
 * `lastUpdate` first, this one before others of the same instant. An event without an `id` replaces none.
 *
 * What lists show is `event.properties.lastUpdateTime`, what they go by is `lastUpdate`: change both.
 * @category combinators
 * @since 0.1.0
 */
export const put =
  (event: WorldEvent) =>
  (world: World): World => {
    const { id } = event.event
    const others = typeof id === "string" ? remove(id)(world).events : world.events
    const newer = others.filter(({ lastUpdate }) => lastUpdate > event.lastUpdate)
    const older = others.filter(({ lastUpdate }) => !(lastUpdate > event.lastUpdate))
    return { ...world, events: [...newer, event, ...older] }
  }

/**
 * The world at another instant, in milliseconds since 1970: where the three days end that a list goes back to by default.
 * @category combinators
 * @since 0.1.0
 */
export const at =
  (now: number) =>
  (world: World): World => ({ ...world, now })
