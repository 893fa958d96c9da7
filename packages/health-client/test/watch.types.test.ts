/** The errors and requirements of a watch, with and without callbacks. */
import { describe, expectTypeOf, it } from "@effect/vitest"
import { type HealthClient, SubscriptionId, Watch } from "@vigil/health-client"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

class Mine extends Data.TaggedError("Mine")<{}> {}
class Odd extends Data.TaggedError("Odd")<{}> {}
class Log extends Context.Service<Log, (text: string) => Effect.Effect<void>>()("Log") {}

const id = SubscriptionId.make("s1")
type Typed<Change, E = never, R = never> = Stream.Stream<Change, E, R | HealthClient.HealthClient>

describe("the type of a watch", () => {
  it("has all errors without onFailure, and no impossible error", () => {
    expectTypeOf(Watch.watch(id)).toEqualTypeOf<Typed<Watch.Change, Watch.WatchError>>()
    expectTypeOf(Watch.watch(id, { apiVersion: "2025-04-01" })).toEqualTypeOf<
      Typed<Watch.Change<"2025-04-01">, Watch.WatchError>
    >()
    expectTypeOf<Extract<Watch.WatchError["_tag"], "CheckpointMismatch">>().toBeNever()
  })

  it("has the errors of onInvalid", () => {
    expectTypeOf(Watch.watch(id, { onInvalid: () => new Odd() })).toEqualTypeOf<
      Typed<Watch.Change, Watch.WatchError | Odd>
    >()
  })

  it("has only the errors of onFailure and of the store if onFailure is set", () => {
    const stopped = Watch.watch(id, {
      onFailure: (error) => (error._tag === "PageLoop" ? Effect.fail(new Mine()) : Effect.logWarning(error.message)),
    })
    expectTypeOf(stopped).toEqualTypeOf<Typed<Watch.Change, Watch.WatchStoreError | Mine>>()
    const logged = Watch.watch(id, {
      apiVersion: "2025-04-01",
      onFailure: ({ message }) => Effect.flatMap(Log, (log) => log(message)),
    })
    expectTypeOf(logged).toEqualTypeOf<Typed<Watch.Change<"2025-04-01">, Watch.WatchStoreError, Log>>()
  })

  it("passes the errors of onInvalid to onFailure", () => {
    const both = Watch.watch(id, {
      onInvalid: () => new Odd(),
      onFailure: (error) => {
        expectTypeOf(error).toEqualTypeOf<Watch.WatchError | Odd>()
        return Effect.void
      },
    })
    expectTypeOf(both).toEqualTypeOf<Typed<Watch.Change, Watch.WatchStoreError>>()
  })

  it("has all errors if onFailure may be undefined", () => {
    const optional = (hook: { readonly onFailure?: () => Effect.Effect<void, Mine> }) => Watch.watch(id, { ...hook })
    expectTypeOf(optional).returns.toEqualTypeOf<Typed<Watch.Change, Watch.WatchError | Mine>>()
  })
})
