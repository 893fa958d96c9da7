/** Watches under some faults: what was told stays told. */
import { Watch } from "@vigil/health-client"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { ending, reading, well } from "./cases.js"
import { connect, drain, guarded, startMendable, subscription } from "./harness.js"
import { withClient } from "../collect.js"

/** A watch that reaches back to whenever the events of the faults are from, and does not wait. */
const eager = { lookback: "20000 days", schedule: Schedule.recurs(1) } as const

const told = (changes: ReadonlyArray<{ readonly _tag: string; readonly event: { readonly name?: unknown } }>) =>
  changes.map(({ _tag, event }) => `${_tag} ${String(event.name)}`)

/** What is told of each event at first: what repeats itself is told once. */
const appearances = (pages: ReadonlyArray<ReadonlyArray<string>>) =>
  [...new Set(pages.flat())].map((event) => `Appeared ${event}`)

describe.each(ending)("$name", ({ ends, name, pages }) => {
  it.scopedLive("fails a watch that has nobody to tell, after what it told", () =>
    Effect.gen(function* () {
      const { delivered, error } = yield* reading(name, (client) =>
        drain(Watch.watch(subscription, { ...eager, schedule: Schedule.stop }).pipe(withClient(client))),
      )
      expect(told(delivered)).toEqual(appearances(pages))
      expect(error?._tag ?? "end").toBe(ends)
    }),
  )
})

describe.each(ending.filter(({ ends }) => ends !== "end"))("$name", ({ ends, name, pages }) => {
  const appeared = appearances(pages)

  it.scopedLive("is reported by a watch, which tells nothing twice once the service is well", () =>
    Effect.gen(function* () {
      const failures: Array<string> = []
      const known: Array<unknown> = []
      const servers = yield* startMendable(name)
      const { client } = yield* connect(servers.server.origin)
      const onFailure = ({ _tag }: { readonly _tag: string }) =>
        Effect.sync(() => {
          failures.push(_tag)
          servers.mend([...known, well])
        })
      const changes = Stream.tap(
        Watch.watch(subscription, { ...eager, onFailure }).pipe(withClient(client)),
        ({ event }) => Effect.sync(() => known.push(event)),
      )
      const { delivered, error } = yield* guarded(servers, drain(changes))
      expect(error).toBeUndefined()
      expect(failures).toEqual([ends])
      expect(told(delivered)).toEqual([...appeared, "Appeared WELL"])
    }),
  )

  it.scopedLive("stops a watch, and the next one with its store goes on from what was told", () =>
    Effect.gen(function* () {
      const store = yield* KeyValueStore.KeyValueStore
      const options = { ...eager, schedule: Schedule.stop, store }
      const stopped = yield* reading(name, (client) =>
        drain(Watch.watch(subscription, options).pipe(withClient(client))),
      )
      expect(told(stopped.delivered)).toEqual(appeared)
      expect(stopped.error?._tag).toBe(ends)

      stopped.mend([...stopped.delivered.map(({ event }) => event), well])
      const next = yield* guarded(stopped, drain(Watch.watch(subscription, options).pipe(withClient(stopped.client))))
      expect([...told(next.delivered), next.error?._tag ?? "end"]).toEqual(["Appeared WELL", "end"])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)),
  )
})
