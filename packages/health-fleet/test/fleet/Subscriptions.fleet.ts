import { describe, expect, it } from "@effect/vitest"
import { SubscriptionId } from "@vigil/health-client"
import { Status, Subscriptions } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import { eventually, ground } from "./ground.js"

const ids = (...names: ReadonlyArray<string>) => names.map((name) => SubscriptionId.make(name))

describe("the subscriptions of a fleet", () => {
  it.live("are added once, paused, resumed and removed", () =>
    Effect.gen(function* () {
      const { subscriptions, withDatabase } = yield* ground()
      expect(yield* withDatabase(Subscriptions.add([...subscriptions, ...ids("new", "new", "NEW")]))).toEqual(["new"])
      expect(yield* withDatabase(Subscriptions.pause(ids("NEW", "unknown")))).toEqual(["new"])
      expect(yield* withDatabase(Subscriptions.pause(ids("new")))).toEqual([])
      expect(yield* withDatabase(Status.status)).toMatchObject({ subscriptions: 3, paused: 1 })
      expect(yield* withDatabase(Subscriptions.resume(ids("new", "unknown")))).toEqual(["new"])
      expect(yield* withDatabase(Subscriptions.add(ids("New")))).toEqual([])
      expect(yield* withDatabase(Subscriptions.remove(ids("new", "unknown")))).toEqual(["new"])
      expect(yield* withDatabase(Status.subscriptions)).toHaveLength(2)
    }),
  )

  it.live("are not polled while they are paused", () =>
    Effect.gen(function* () {
      const { requests, start, subscriptions, withDatabase } = yield* ground()
      const [first = "", second = ""] = subscriptions
      yield* withDatabase(Subscriptions.pause(ids(first)))
      yield* start()
      const polled = Effect.map(requests, (all) => new Set(all.map(({ target }) => target.split("/")[2])))
      yield* eventually(Effect.map(polled, (some) => some.has(second)))
      expect([...(yield* polled)]).toEqual([second])
      yield* withDatabase(Subscriptions.resume(ids(first)))
      yield* eventually(Effect.map(polled, (some) => some.has(first)))
    }),
  )

  it.live("include the added subscriptions and those of a list, which only one runner reads", () =>
    Effect.gen(function* () {
      const { start, subscriptions, withDatabase } = yield* ground()
      let reads = 0
      const list = Effect.sync(() => {
        reads += 1
        return ids("listed", "other")
      })
      yield* start({ list })
      yield* start({ list })
      const watched = Effect.map(withDatabase(Status.subscriptions), (all) => all.map(({ id }) => id))
      yield* eventually(Effect.map(watched, ({ length }) => length === 4))
      expect(reads).toBe(1)
      yield* withDatabase(Subscriptions.replaceListed(ids("other")))
      expect(yield* watched).toEqual([...subscriptions, ...ids("other")].toSorted())
      yield* withDatabase(Subscriptions.replaceListed([]))
      expect(yield* watched).toHaveLength(3)
      yield* withDatabase(Subscriptions.replaceListed(ids("listed", "other", "listed")))
      expect(yield* watched).toHaveLength(4)
      // An added subscription stays, even if a later list omits it.
      expect(yield* withDatabase(Subscriptions.add(ids("listed")))).toEqual(["listed"])
      yield* withDatabase(Subscriptions.replaceListed(ids("other")))
      expect(yield* watched).toHaveLength(4)
    }),
  )

  it.live("spread their first polls over 100 milliseconds per new subscription of a list", () =>
    Effect.gen(function* () {
      const { withDatabase } = yield* ground()
      const many = ids(...Array.from({ length: 3_000 }, (_, index) => `many-${index}`))
      const delays = (isNew: (id: string) => boolean) =>
        Effect.map(withDatabase(Status.subscriptions), (all) =>
          all.filter(({ id }) => isNew(id)).map(({ dueAt }) => dueAt.getTime() - Date.now()),
        )
      yield* withDatabase(Subscriptions.replaceListed(many))
      const first = yield* delays((id) => id.startsWith("many"))
      expect(Math.max(...first)).toBeGreaterThan(200_000)
      expect(Math.max(...first)).toBeLessThanOrEqual(300_000)
      yield* withDatabase(Subscriptions.replaceListed([...many, ...ids("new")]))
      expect(Math.max(...(yield* delays((id) => id === "new")))).toBeLessThanOrEqual(0)
    }),
  )
})
