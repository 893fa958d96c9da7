/** Incidents that open, are updated and are resolved as the time of the world advances. */
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Hash from "effect/Hash"
import type { Subscription, World, WorldEvent } from "./models.js"
import * as dice from "./dice.js"
import { incidentAt, stageCount } from "./incident.js"
import { inSubscription } from "./lookup.js"
import { regions, services } from "./places.js"
import { minute, randomTrackingId, type Setting, spelling, worldEvent } from "./story.js"

/** The time between two changes of a subscription, in milliseconds. */
export const periodOf = (changeEvery: Duration.Input): number => Math.max(1_000, Duration.toMillis(changeEvery))

/** The incident of a subscription after a step. Steps are counted in periods since 1970. Each incident has `stageCount` of them. */
const incidentAfter = (world: World, { id }: Subscription, period: number, step: number): WorldEvent => {
  const index = Math.floor(step / stageCount)
  const updateCount = step - index * stageCount + 1
  const random = dice.make(index, Hash.string(id))
  const own = inSubscription(world, id)
  // Sorting many resources for each incident would be slow, and more resources must not change the incidents.
  const [impacted] = random.sample(own.slice(0, 6), 1)
  const opened = index * stageCount * period
  const setting = {
    dice: random,
    // Longer than those of a seed, to stay unique in many subscriptions.
    trackingId: randomTrackingId(random, 6),
    now: step * period,
    lastUpdate: step * period,
    service: services.find(({ name }) => name === impacted?.service) ?? random.pick(services),
    regions: [impacted?.region ?? random.pick(regions)],
    subscriptions: [id],
    time: spelling(random),
  }
  const progress = {
    active: updateCount < stageCount,
    updateCount,
    start: opened - 5 * minute,
    updateTime: (update: number) => opened + update * period,
  }
  // An active incident and a resolved one roll different types of impact.
  const story = (s: Setting) => ({ ...incidentAt(progress)(s), impactType: "Availability" })
  return worldEvent(story, setting, world.vendor, own)
}

/** The events that change after the time of the world until `now`, in their state at `now`. */
export const changesBetween = (world: World, period: number, now: number): ReadonlyArray<WorldEvent> => {
  const first = Math.floor(world.now / period) + 1
  const last = Math.floor(now / period)
  if (!(first <= last)) return []
  const firstIndex = Math.floor(first / stageCount)
  const indexes = Array.range(firstIndex, Math.floor(last / stageCount))
  return world.subscriptions.flatMap((subscription) =>
    indexes.map((index) =>
      incidentAfter(world, subscription, period, Math.min(last, index * stageCount + stageCount - 1)),
    ),
  )
}
