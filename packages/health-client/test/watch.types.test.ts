/** What the type of a watch says: what it fails with and needs, with its hooks and without them. */
import { describe, expectTypeOf, it } from "@effect/vitest"
import { HealthClient, SubscriptionId, type Watch } from "@vigil/health-client"
import type { ApiVersion } from "@vigil/health-schema"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

class Mine extends Data.TaggedError("Mine")<{}> {}
class Odd extends Data.TaggedError("Odd")<{}> {}
class Log extends Context.Tag("Log")<Log, (text: string) => Effect.Effect<void>>() {}

const id = SubscriptionId.make("s1")
/** What a watch would be: nothing is run. */
const typed = <A>(make: (watch: Watch.Watch) => A) => Effect.map(HealthClient.HealthClient, ({ watch }) => make(watch))
type Typed<Change, E = never, R = never> = Effect.Effect<Stream.Stream<Change, E, R>, never, HealthClient.HealthClient>
type Old = Extract<ApiVersion.ApiVersion, "2025-04-01">

describe("a watch", () => {
  it("fails with everything, when nobody hears of it", () => {
    expectTypeOf(typed((watch) => watch(id))).toEqualTypeOf<Typed<Watch.Change, Watch.WatchError>>()
    expectTypeOf(typed((watch) => watch(id, { apiVersion: "2025-04-01" }))).toEqualTypeOf<
      Typed<Watch.Change<Old>, Watch.WatchError>
    >()
  })

  it("fails with what onInvalid fails with as well", () => {
    expectTypeOf(typed((watch) => watch(id, { onInvalid: () => new Odd() }))).toEqualTypeOf<
      Typed<Watch.Change, Watch.WatchError | Odd>
    >()
  })

  it("fails with what onFailure fails with, which may be something of its own, and with a store that can't be read", () => {
    const stopped = typed((watch) =>
      watch(id, {
        onFailure: (error) =>
          error._tag === "Unauthorized" ? Effect.fail(new Mine()) : Effect.logWarning(error.message),
      }),
    )
    expectTypeOf(stopped).toEqualTypeOf<Typed<Watch.Change, Watch.WatchStoreError | Mine>>()
    const logged = typed((watch) =>
      watch(id, { apiVersion: "2025-04-01", onFailure: ({ message }) => Effect.flatMap(Log, (log) => log(message)) }),
    )
    expectTypeOf(logged).toEqualTypeOf<Typed<Watch.Change<Old>, Watch.WatchStoreError, Log>>()
  })

  it("lets onFailure hear of what onInvalid fails with", () => {
    const both = typed((watch) =>
      watch(id, {
        onInvalid: () => new Odd(),
        onFailure: (error) => {
          expectTypeOf(error).toEqualTypeOf<Watch.WatchError | Odd>()
          return Effect.void
        },
      }),
    )
    expectTypeOf(both).toEqualTypeOf<Typed<Watch.Change, Watch.WatchStoreError>>()
  })

  it("fails with everything, when onFailure may be missing", () => {
    const perhaps = (hook: { readonly onFailure?: () => Effect.Effect<void, Mine> }) =>
      typed((watch) => watch(id, { ...hook }))
    expectTypeOf(perhaps).returns.toEqualTypeOf<Typed<Watch.Change, Watch.WatchError | Mine>>()
  })
})
