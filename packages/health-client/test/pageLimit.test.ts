/** Lists that are resumed after `PageLimit`. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { type Checkpoint, PagingError, TrackingId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { paged, restored, s1 } from "./pagedLists.js"
import { collect } from "./collect.js"

describe("a PageLimit", () => {
  it.live("contains the checkpoint to resume from", () =>
    Effect.gen(function* () {
      const { client, server } = yield* paged([[{ name: "A" }], [{ name: "B" }, { name: "C" }]])
      const options = { filter: "a", queryStartTime: "1 hour" } as const
      const names: Array<unknown> = []
      const rest = yield* Stream.runForEach(client.listBySubscription(s1, { ...options, maxPages: 1 }), ({ name }) =>
        Effect.sync(() => names.push(name)),
      ).pipe(
        Effect.as([]),
        Effect.catchTag("PageLimit", ({ checkpoint }) => {
          expectTypeOf(checkpoint).toEqualTypeOf<Checkpoint.Checkpoint>()
          return Effect.flatMap(restored(checkpoint), (from) =>
            collect(client.listBySubscription(s1, { ...options, from })),
          )
        }),
      )
      expect(names).toEqual(["A"])
      expect(rest).toEqual([{ name: "B" }, { name: "C" }])
      expect((yield* server.requests).at(-1)?.target).toContain("page=1")
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live("of find contains a checkpoint as well, also after it was encoded and decoded", () =>
    Effect.gen(function* () {
      const { client } = yield* paged([[{ name: "A" }], [{ name: "B" }]])
      const error = yield* Effect.flip(client.find(s1, TrackingId.make("B"), { maxPages: 1 }))
      const schema = Schema.fromJsonString(Schema.toCodecJson(PagingError.PageLimit))
      const { checkpoint } = Schema.decodeSync(schema)(yield* Schema.encodeUnknownEffect(schema)(error))
      expect(yield* collect(client.listBySubscription(s1, { from: checkpoint }))).toEqual([{ name: "B" }])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
