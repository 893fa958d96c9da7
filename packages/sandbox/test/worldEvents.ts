/** The events of several worlds, with their decoded properties. */
import { HealthEvent, Timestamp } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { expect } from "vitest"

export const now = Date.UTC(2026, 0, 15, 12)

const decode = HealthEvent.decode("2025-05-01")

/** An event with its decoded properties and the parts of its impact. */
const describeEvent = (world: World.World, one: World.WorldEvent) => {
  const event = Either.getOrThrow(decode(one.event))
  const properties = event.properties ?? {}
  const impact = properties.impact ?? []
  const regions = impact.flatMap(({ impactedRegions }) => impactedRegions ?? [])
  return { ...one, world, event, properties, impact, regions }
}

let madeWorlds: ReadonlyArray<World.World> | undefined
let madeEvents: ReadonlyArray<ReturnType<typeof describeEvent>> | undefined

/** The worlds of two seeds, made once. */
const worlds = () => (madeWorlds ??= [1, 2].map((seed) => World.make({ now, seed, subscriptions: 4 })))

/** The events of all worlds. */
export const all = () =>
  (madeEvents ??= worlds().flatMap((world) => world.events.map((one) => describeEvent(world, one))))

export const ofType = (type: string) => all().filter(({ properties }) => properties.eventType === type)

export const millis = (timestamp: Timestamp.Timestamp | null | undefined): number =>
  Option.match(Timestamp.instant(timestamp), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

/** Some times are sent without milliseconds. */
export const expectTime = (timestamp: Timestamp.Timestamp | null | undefined, expected: number): void => {
  expect(Math.floor(millis(timestamp) / 1000)).toBe(Math.floor(expected / 1000))
}
