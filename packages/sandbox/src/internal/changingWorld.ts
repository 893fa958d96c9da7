/** The world of a running sandbox. With `changeEvery`, its time and its events follow the clock. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Ref from "effect/Ref"
import * as World from "../World.js"
import { periodOf } from "./world/live.js"

export const make = (seeded: World.World, changeEvery: Duration.Input | undefined) =>
  Effect.gen(function* () {
    // Requests run elsewhere: the clock of a test must reach them.
    const clock = yield* Clock.Clock
    const startTime = yield* clock.currentTimeMillis
    const advanceTo = (time: number) =>
      changeEvery === undefined
        ? identity<World.World>
        : World.advance({ changeEvery, now: seeded.now + time - startTime })
    // The events that changed last, which are still active for the most part, are there from the start.
    const earlier = changeEvery === undefined ? seeded.now : seeded.now - periodOf(changeEvery)
    const world = advanceTo(startTime)(World.setNow(earlier)(seeded))
    const worlds = yield* Ref.make(world)
    const change = (f: (world: World.World) => World.World): Effect.Effect<void> =>
      Effect.flatMap(clock.currentTimeMillis, (time) => Ref.update(worlds, (old) => f(advanceTo(time)(old))))
    return { world, change, current: Effect.andThen(change(identity), Ref.get(worlds)) }
  })
