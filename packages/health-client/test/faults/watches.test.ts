/** Watches under some faults: no change is delivered twice. */
import { Watch } from "@vigil/health-client"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { extra, finite, run } from "./cases.js"
import { connect, drain, guarded, startRepairable, subscription, tagOf } from "./harness.js"
import { withClient } from "../collect.js"

/** A watch without delay, with a lookback that includes the events of every fault. */
const immediate = { lookback: "20000 days", schedule: Schedule.recurs(1) } as const

const summaries = (changes: ReadonlyArray<{ readonly _tag: string; readonly event: { readonly name?: unknown } }>) =>
  changes.map(({ _tag, event }) => `${_tag} ${String(event.name)}`)

/** One Appeared for each event, even if it is repeated. */
const appearances = (pages: ReadonlyArray<ReadonlyArray<string>>) =>
  [...new Set(pages.flat())].map((event) => `Appeared ${event}`)

describe.each(finite.filter(({ outcome }) => outcome !== "end"))("$name", ({ outcome, name, pages }) => {
  const appeared = appearances(pages)

  it.live("is passed to onFailure, and no change repeats once the service is repaired", () =>
    Effect.gen(function* () {
      const failures: Array<string> = []
      const known: Array<unknown> = []
      const servers = yield* startRepairable(name)
      const { client } = yield* connect(servers.server.origin)
      const onFailure = (error: Watch.WatchError) =>
        Effect.sync(() => {
          failures.push(tagOf(error))
          servers.repair([...known, extra])
        })
      const changes = Stream.tap(
        Watch.watch(subscription, { ...immediate, onFailure }).pipe(withClient(client)),
        ({ event }) => Effect.sync(() => known.push(event)),
      )
      const { delivered, error } = yield* guarded(servers, drain(changes))
      expect(error).toBeUndefined()
      expect(failures).toEqual([outcome])
      expect(summaries(delivered)).toEqual([...appeared, "Appeared EXTRA"])
    }),
  )

  it.live("fails a watch, and a restart with the same store delivers only new changes", () =>
    Effect.gen(function* () {
      const store = yield* KeyValueStore.KeyValueStore
      const options = { ...immediate, schedule: Schedule.recurs(0), store }
      const stopped = yield* run(name, (client) => drain(Watch.watch(subscription, options).pipe(withClient(client))))
      expect(summaries(stopped.delivered)).toEqual(appeared)
      expect(tagOf(stopped.error)).toBe(outcome)

      stopped.repair([...stopped.delivered.map(({ event }) => event), extra])
      const next = yield* guarded(stopped, drain(Watch.watch(subscription, options).pipe(withClient(stopped.client))))
      expect([...summaries(next.delivered), tagOf(next.error)]).toEqual(["Appeared EXTRA", "end"])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)),
  )
})
