/** The option `vendor`, which decides which `enable<vendor>Support` of an event is checked. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import { Credential, HealthClient, HealthEvent, SubscriptionId, TrackingId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"

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

const place = { index: 1, path: "properties.enableMicrosoftSupport", raw: bad }

describe("the support field of the client's vendor", () => {
  it.scoped("is checked in lists and sweeps", () =>
    Effect.gen(function* () {
      const { collectBySubscription, pagesBySubscription, sweep } = yield* client("Microsoft", good, bad)
      expect(yield* Stream.runHead(pagesBySubscription(id))).toMatchObject(
        Option.some({ items: [good], invalid: [place] }),
      )
      expect(yield* Effect.flip(collectBySubscription(id))).toMatchObject({ _tag: "InvalidEvent", ...place })
      expect(yield* Stream.runHead(sweep([id]))).toMatchObject(Option.some({ events: [good], invalid: [place] }))
    }),
  )

  it.scoped("is checked in details", () =>
    Effect.gen(function* () {
      const whole = yield* client("Microsoft", good)
      const event = yield* whole.fetchEventDetails(id, TrackingId.make("good"))
      expect(HealthEvent.vendorSupport(event, "Microsoft")).toBe(true)
      const { fetchEventDetails } = yield* client("Microsoft", bad)
      expect(yield* Effect.flip(fetchEventDetails(id, TrackingId.make("bad")))).toMatchObject({
        _tag: "DecodeError",
        path: place.path,
      })
    }),
  )

  it.scoped("is checked in what the store of a watch has", () =>
    Effect.gen(function* () {
      const store = yield* KeyValueStore.KeyValueStore
      const options = { store, schedule: Schedule.stop }
      const events = Stream.map(({ event }: { readonly event: HealthEvent.HealthEvent }) => event.name)
      const { watch: unaware } = yield* client("Acme", bad)
      expect(yield* Stream.runHead(events(unaware(id, options)))).toEqual(Option.some("bad"))
      const { watch } = yield* client("Microsoft", bad)
      expect(yield* Effect.flip(Stream.runDrain(watch(id, options)))).toMatchObject({
        _tag: "WatchStoreError",
        reason: "unreadable",
      })
    }).pipe(Effect.provide(KeyValueStore.layerMemory)),
  )

  it.scoped("is unknown, and kept as it is, for another vendor", () =>
    Effect.gen(function* () {
      const { collectBySubscription } = yield* client("Acme", good, bad)
      expect(yield* collectBySubscription(id)).toEqual([good, bad])
    }),
  )
})
