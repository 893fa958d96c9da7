/** `layerTest` with data, error responses and mocks. */
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  HealthClient,
  ResourceUri,
  SubscriptionId,
  type TestData,
  WithDetails,
  Watch,
  Sweep,
} from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import { HttpError } from "@vigil/core-http"
import { PageLoop } from "@vigil/paging/PagingError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"

const s1 = SubscriptionId.make("s1")
const r = ResourceUri.make("/a/r")

const entryAt = (name: string, lastUpdateTime?: string) => ({ name, properties: { lastUpdateTime } })

const names = (events: Iterable<HealthEvent.HealthEvent>) => Array.from(events, ({ name }) => name)

describe("layerTest", () => {
  const data: TestData.TestData = {
    subscriptions: { s1: [entryAt("a"), entryAt("b"), entryAt("c")], "s 2": [entryAt("d")] },
    resources: { "/subscriptions/s1/x": [entryAt("e")], "subscriptions/s1/y z": [entryAt("f")] },
    details: { a: { name: "a", properties: { summary: "S" } } },
    pageSize: 2,
  }

  it.effect("returns events of subscriptions and resources in pages, and details", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      const pages = yield* Stream.runCollect(client.pagesBySubscription(s1))
      expect(pages.map(({ items }) => names(items))).toEqual([["a", "b"], ["c"]])
      expect(names(yield* collect(client.listBySubscription(SubscriptionId.make("s 2"))))).toEqual(["d"])
      expect(names(yield* collect(client.listByResource(ResourceUri.make("subscriptions/s1/x"))))).toEqual(["e"])
      expect(names(yield* collect(client.listByResource(ResourceUri.make("/subscriptions/s1/y z"))))).toEqual(["f"])
      const unknown = yield* Effect.flip(collect(client.listByResource(ResourceUri.make("/subscriptions/s1/none"))))
      expect(unknown).toMatchObject({ _tag: "NotFound" })
    }).pipe(Effect.provide(HealthClient.layerTest(data))),
  )

  it("needs no services and cannot fail", () => {
    expectTypeOf(HealthClient.layerTest).returns.toEqualTypeOf<Layer.Layer<HealthClient.HealthClient>>()
  })
})

describe("an error response with layerTest", () => {
  const forbidden: TestData.ErrorResponse = {
    status: 403,
    body: { error: { code: "AuthorizationFailed", message: "No access." } },
  }

  it.effect("is returned for a subscription or a resource", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      expect(yield* Effect.flip(collect(client.listBySubscription(s1)))).toMatchObject({
        _tag: "Forbidden",
        code: "AuthorizationFailed",
        detail: "No access.",
      })
      expect(yield* Effect.flip(collect(client.listByResource(r)))).toMatchObject({ _tag: "ServiceError", status: 500 })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({ subscriptions: { s1: forbidden }, resources: { "/a/r": { status: 500 } } }),
      ),
    ),
  )

  it.effect("is retried without moving the clock, and a success may follow", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      expect(names(yield* collect(client.listBySubscription(s1)))).toEqual(["a", "b", "c"])
      // The last response repeats.
      expect(names(yield* collect(client.listBySubscription(s1)))).toEqual(["a", "b", "c"])
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({
          subscriptions: {
            s1: { responses: [{ status: 503 }, { status: 503 }, [entryAt("a"), entryAt("b"), entryAt("c")]] },
          },
          pageSize: 2,
        }),
      ),
    ),
  )

  it.effect("is the same each time the layer is built", () =>
    Effect.gen(function* () {
      const test = HealthClient.layerTest({ subscriptions: { s1: { responses: [forbidden, [entryAt("a")]] } } })
      const list = Effect.flatMap(HealthClient.HealthClient, (client) => collect(client.listBySubscription(s1)))
      const twice = Effect.all([Effect.flip(list), list])
      for (const run of [twice, twice])
        expect(yield* Effect.provide(run, test)).toMatchObject([{ _tag: "Forbidden" }, [{ name: "a" }]])
    }),
  )
})

describe("Layer.mock", () => {
  it.effect("with pages only supports sweep and watch", () =>
    Effect.gen(function* () {
      const error = new PageLoop({ pages: 2 })
      const test = Layer.mock(HealthClient.HealthClient, { pagesBySubscription: () => Stream.fail(error) })
      expect(yield* Effect.provide(collect(Sweep.sweep([s1])), test)).toMatchObject([{ _tag: "Failed", error }])
      expect(yield* Effect.provide(Effect.flip(collect(Watch.watch(s1))), test)).toBe(error)
    }),
  )

  it.effect("supports functions that use only the mocked part", () =>
    Effect.gen(function* () {
      const withheld: HealthEvent.HealthEvent = { name: "A", properties: { isEventSensitive: true } }
      const events = Stream.make(withheld).pipe(WithDetails.withDetails(s1))
      const error = new HttpError.BodyTooLarge({ service: "health", operation: "test", limit: 1 })
      const test = Layer.mock(HealthClient.HealthClient, { fetchEventDetails: () => Effect.fail(error) })
      expect(yield* Effect.flip(Effect.provide(Stream.runDrain(events), test))).toBe(error)
    }),
  )
})
