import type { HttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import {
  Credential,
  HealthClient,
  type InvalidEvent,
  type Listing,
  ResourceUri,
  SubscriptionId,
} from "@vigil/health-client"
import type { HealthEvent } from "@vigil/health-schema"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { stubClient } from "./stubClient.js"

const base = "https://health.example"
const first = `${base}/subscriptions/s%201/providers/Vendor.ResourceHealth/events?api-version=2025-05-01`
const s1 = SubscriptionId.make("s 1")

/** A client of a service with these responses. */
const clientOf = (table: Readonly<Record<string, unknown>>) => {
  const { layer, seen } = stubClient(table)
  const client = HealthClient.make({ baseUrl: base, credential: Credential.bearer(Redacted.make("token-3a7f")) })
  return { seen, client: Effect.provide(client, layer) }
}

/** The elements of a stream, and how it ended. */
const drain = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.gen(function* () {
    const delivered: Array<A> = []
    const exit = yield* Effect.exit(Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))))
    return { delivered, exit }
  })

describe("an invalid event", () => {
  const table = { [first]: { value: [{ name: "A" }, { name: 7 }, { name: "B" }, null] } }

  it.effect("fails the list with the error of onInvalid, which may need a service", () =>
    Effect.gen(function* () {
      class Alarm extends Context.Service<Alarm, string>()("Alarm") {}
      const onInvalid = ({ index }: InvalidEvent.InvalidEvent) =>
        Effect.flatMap(Alarm, (alarm) => (index === 3 ? Effect.fail(alarm) : Effect.void))
      const stream = (yield* clientOf(table).client).listBySubscription(s1, { onInvalid })
      expectTypeOf<Stream.Services<typeof stream>>().toEqualTypeOf<Alarm>()
      const { delivered, exit } = yield* drain(Stream.provideService(stream, Alarm, "ring"))
      expect(delivered).toEqual([{ name: "A" }, { name: "B" }])
      expect(exit).toEqual(Exit.fail("ring"))
    }),
  )
})

describe("the layer", () => {
  it("needs an HttpClient, and its methods need no services", () => {
    type Configured = ReturnType<typeof HealthClient.layerConfig>
    expectTypeOf<Layer.Success<Configured>>().toEqualTypeOf<HealthClient.HealthClient>()
    expectTypeOf<Layer.Error<Configured>["_tag"]>().toEqualTypeOf<
      "ConfigError" | "CredentialError" | "InvalidBaseUrl" | "InvalidSetting"
    >()
    expectTypeOf<Layer.Services<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<Layer.Services<ReturnType<typeof HealthClient.layer>>>().toEqualTypeOf<HttpClient.HttpClient>()
    type Service = HealthClient.HealthClient["Service"]
    expectTypeOf<Stream.Services<ReturnType<Service["pagesBySubscription"]>>>().toEqualTypeOf<never>()
  })

  it("types events by the requested version", () => {
    const use = ({ listByResource, listBySubscription, pagesBySubscription }: HealthClient.Service) => {
      expectTypeOf(listBySubscription(s1)).toEqualTypeOf<Stream.Stream<HealthEvent.HealthEvent, Listing.ListError>>()
      expectTypeOf(listBySubscription(s1, { apiVersion: "2025-04-01" })).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent<"2025-04-01">, Listing.ListError>
      >()
      expectTypeOf(pagesBySubscription(s1, { apiVersion: "2025-04-01" })).toEqualTypeOf<
        Stream.Stream<Listing.EventPage<"2025-04-01">, Listing.PagesError>
      >()
      const named = (apiVersion: "2025-04-01" | "2025-05-01" | undefined) => listBySubscription(s1, { apiVersion })
      expectTypeOf(named).returns.toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent<"2025-04-01" | "2025-05-01">, Listing.ListError>
      >()
      expectTypeOf(listBySubscription(s1, { apiVersion: undefined })).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent, Listing.ListError>
      >()
      expectTypeOf(listByResource(ResourceUri.make("r"), { filter: "a" })).toEqualTypeOf<
        Stream.Stream<HealthEvent.HealthEvent, Listing.ListError>
      >()
      const useOld = (pages: Stream.Stream<Listing.EventPage<"2025-04-01">, Listing.PagesError>) => pages
      // @ts-expect-error -- the version follows from the options only
      useOld(pagesBySubscription(s1))
      // @ts-expect-error -- text is not an ID until it is validated
      listBySubscription("s1")
      // @ts-expect-error -- IDs of different kinds are not assignable
      listByResource(s1)
    }
    expectTypeOf(use).toBeFunction()
  })
})
