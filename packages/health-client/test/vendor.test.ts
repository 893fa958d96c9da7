/** The option `vendor`, which determines the checked field `enable<vendor>Support`. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import { Credential, HealthClient, SubscriptionId, Watch, Sweep } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"
import { withClient } from "./collect.js"

const id = SubscriptionId.make("s1")
const named = (name: string, properties: object) => ({
  id: name,
  name,
  properties: { status: "Active", ...properties },
})
const good = named("good", { enableMicrosoftSupport: true })
const bad = named("bad", { enableMicrosoftSupport: "True" })

const client = (vendor: string, ...value: ReadonlyArray<object>) =>
  HealthClient.make({ baseUrl: "https://health.test", credential: Credential.none, vendor }).pipe(
    Effect.provide(
      TestHttpClient.layer(({ url }) => ({ json: url.pathname.includes("fetchEventDetails") ? value[0] : { value } })),
    ),
  )

const issue = { index: 1, path: "properties.enableMicrosoftSupport", raw: bad }

describe("the support field", () => {
  it.effect("of the client's vendor is checked in lists and sweeps", () =>
    Effect.gen(function* () {
      const health = yield* client("Microsoft", good, bad)
      const { listBySubscription, pagesBySubscription } = health
      expect(yield* Stream.runHead(pagesBySubscription(id))).toMatchObject(
        Option.some({ items: [good], invalid: [issue] }),
      )
      expect(yield* Effect.flip(collect(listBySubscription(id)))).toMatchObject({ _tag: "InvalidEvent", ...issue })
      expect(yield* Stream.runHead(Sweep.sweep([id]).pipe(withClient(health)))).toMatchObject(
        Option.some({ events: [good], invalid: [issue] }),
      )
    }),
  )

  it.effect("of another vendor is restored by a watch without a check", () =>
    Effect.gen(function* () {
      const store = yield* KeyValueStore.KeyValueStore
      const odd = { ...good, properties: { ...good.properties, enableVendorSupport: "odd" } }
      const health = yield* client("Microsoft", odd)
      const changes = Watch.watch(id, { store, schedule: Schedule.recurs(0) }).pipe(withClient(health))
      expect(yield* collect(changes)).toEqual([{ _tag: "Appeared", event: odd }])
      expect(yield* collect(changes)).toEqual([])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)),
  )
})
