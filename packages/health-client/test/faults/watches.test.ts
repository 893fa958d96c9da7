/** Watches under some faults: a failed poll loses no change. */
import { HealthClient, Watch, WatchStore } from "@vigil/health-client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { extra, finite } from "./cases.js"
import { connect, guarded, startRepairable, subscription, tagOf } from "./harness.js"

describe.each(finite.filter(({ outcome }) => outcome !== "end"))("$name", ({ outcome, name }) => {
  it.live("is passed to onFailure without any change, and the next poll handles the changes", () =>
    Effect.gen(function* () {
      const failures: Array<string> = []
      const servers = yield* startRepairable(name)
      const { client } = yield* connect(servers.server.origin)
      const onFailure = (error: Watch.WatchError) =>
        Effect.sync(() => {
          failures.push(tagOf(error))
          servers.repair([extra])
        })
      const handled: Array<Watch.Change> = []
      const watch = Watch.run(subscription, (change) => Effect.sync(() => void handled.push(change)), {
        // Includes the events of every fault.
        lookback: "20000 days",
        schedule: Schedule.recurs(1),
        onFailure,
      }).pipe(
        Effect.provideService(HealthClient.HealthClient, client),
        Effect.provide(WatchStore.layerMemory),
        Effect.result,
        Effect.map((result) => ({ delivered: handled, error: Option.getOrUndefined(Result.getFailure(result)) })),
      )
      const { delivered, error } = yield* guarded(servers, watch)
      expect(error).toBeUndefined()
      expect(failures).toEqual([outcome])
      expect(delivered).toMatchObject([{ _tag: "Appeared", event: extra }])
    }),
  )
})
