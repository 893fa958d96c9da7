import { FetchHttpClient, HttpClient } from "@effect/platform"
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
import { Sandbox } from "@vigil/sandbox"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { stubClient } from "./stubClient.js"
import { collect } from "./collect.js"

/** A sandbox with a client, and the number of requests. */
const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const requests = yield* Ref.make(0)
  const http = HttpClient.mapRequestEffect(yield* HttpClient.HttpClient, (request) =>
    Effect.as(
      Ref.update(requests, (count) => count + 1),
      request,
    ),
  )
  const client = yield* HealthClient.make({
    baseUrl: sandbox.baseUrl,
    credential: Credential.bearer(sandbox.accessToken),
  }).pipe(Effect.provideService(HttpClient.HttpClient, http))
  const [{ id }] = sandbox.world.subscriptions
  const expected = sandbox.world.events.filter(
    ({ lastUpdate, subscriptions }) => subscriptions.includes(id) && lastUpdate >= sandbox.world.now - 259_200_000,
  )
  return { client, expected, requests, subscription: SubscriptionId.make(id), world: sandbox.world }
})

describe.each(["2025-05-01", "2025-04-01"] as const)("against the sandbox, version %s", (apiVersion) => {
  it.scopedLive("lists every event of a subscription, as events and as pages", () =>
    Effect.gen(function* () {
      const { client, expected, subscription } = yield* start
      const names = expected
        .filter(({ event }) => apiVersion === "2025-05-01" || event.properties?.eventType !== "Billing")
        .map(({ event }) => event.name)
      const events = yield* collect(client.listBySubscription(subscription, { apiVersion }))
      expect(events.map(({ name }) => name)).toEqual(names)
      const pages = yield* collect(client.pagesBySubscription(subscription, { apiVersion }))
      expect(pages.flatMap(({ items }) => items)).toEqual(events)
      expect(pages.flatMap(({ invalid }) => invalid)).toEqual([])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scopedLive("lists every event of each resource", () =>
    Effect.gen(function* () {
      const { client, world } = yield* start
      for (const { uri } of world.resources) {
        const names = world.events
          .filter(
            ({ event, resources }) =>
              resources.includes(uri) && (apiVersion === "2025-05-01" || event.properties?.eventType !== "Billing"),
          )
          .map(({ event }) => event.name)
        const events = yield* collect(client.listByResource(ResourceUri.make(uri), { apiVersion }))
        expect(events.map(({ name }) => name)).toEqual(names)
        const pages = yield* collect(client.pagesByResource(ResourceUri.make(uri), { apiVersion }))
        expect(pages.flatMap(({ items }) => items)).toEqual(events)
      }
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

describe("requests", () => {
  it.scopedLive("fetch only the pages that are consumed", () =>
    Effect.gen(function* () {
      const { client, requests, subscription } = yield* start
      const stream = client.listBySubscription(subscription)
      expect(yield* Ref.get(requests)).toBe(0)
      expect(yield* collect(Stream.take(stream, 1))).toHaveLength(1)
      expect(yield* Ref.get(requests)).toBe(1)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.scopedLive("fail with Unauthorized for an invalid token", () =>
    Effect.gen(function* () {
      const { baseUrl, world } = yield* Sandbox.make()
      const client = yield* HealthClient.make({ baseUrl, credential: Credential.bearer(Redacted.make("wrong")) })
      const error = yield* Effect.flip(
        collect(client.listBySubscription(SubscriptionId.make(world.subscriptions[0].id))),
      )
      expect(error).toMatchObject({ _tag: "Unauthorized", code: "AuthenticationFailed" })
      expect(error.message).toContain("HealthClient.listBySubscription")
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})

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

describe("a nextLink", () => {
  it.scoped("is followed unchanged, without a second api-version", () =>
    Effect.gen(function* () {
      const links = [`${first}?$skipToken=a%2Bb+c`, `${first}&$skipToken=%20$`]
      const { client, seen } = clientOf({
        [first]: { value: [{ name: "A" }], nextLink: links[0] },
        [links[0] ?? ""]: { value: [], nextLink: links[1] },
        [links[1] ?? ""]: { value: [{ name: "B" }], nextLink: "" },
      })
      expect(yield* collect((yield* client).listBySubscription(s1))).toEqual([{ name: "A" }, { name: "B" }])
      expect(seen.map(({ url }) => url)).toEqual([first, ...links])
    }),
  )

  it.scoped("may be relative", () =>
    Effect.gen(function* () {
      const { client } = clientOf({
        [first]: { value: [{ name: "A" }], nextLink: "?$skipToken=2" },
        [first.replace(/\?.*/, "?$skipToken=2")]: { value: [{ name: "B" }], nextLink: null },
      })
      expect(yield* collect((yield* client).listBySubscription(s1))).toHaveLength(2)
    }),
  )

  it.scoped.each([
    ["https://evil.example/?$skipToken=1"],
    ["//evil.example/x"],
    ["https://health.example:444/x"],
    ["http://health.example/x"],
    ["https://health.example@evil.example/x"],
    ["file:///etc/passwd"],
    ["http://"],
  ] as const)("to %s fails the list after its page, without another request", ([nextLink]) =>
    Effect.gen(function* () {
      const { client, seen } = clientOf({ [first]: { value: [{ name: "A" }], nextLink } })
      const { delivered, exit } = yield* drain((yield* client).listBySubscription(s1))
      expect(delivered).toEqual([{ name: "A" }])
      expect(exit).toMatchObject({
        cause: { error: { _tag: "LinkRefused", operation: "HealthClient.listBySubscription" } },
      })
      expect(seen).toHaveLength(1)
    }),
  )

  it.scoped("in a loop fails with PageLoop, and a list over its limit with PageLimit", () =>
    Effect.gen(function* () {
      const { client } = clientOf({ [first]: { value: [{ name: "A" }], nextLink: first } })
      const { listBySubscription } = yield* client
      expect(yield* Effect.flip(collect(listBySubscription(s1)))).toMatchObject({ _tag: "PageLoop" })
      const more = clientOf({ [first]: { value: [], nextLink: `${first}&p=2` } })
      const error = yield* Effect.flip(collect((yield* more.client).pagesBySubscription(s1, { maxPages: 1 })))
      expect(error).toMatchObject({ _tag: "PageLimit" })
    }),
  )
})

describe("an invalid event", () => {
  const table = { [first]: { value: [{ name: "A" }, { name: 7 }, { name: "B" }, null] } }

  it.scoped("fails the list after the events before it", () =>
    Effect.gen(function* () {
      const { delivered, exit } = yield* drain((yield* clientOf(table).client).listBySubscription(s1))
      expect(delivered).toEqual([{ name: "A" }])
      expect(exit).toMatchObject({
        cause: { error: { _tag: "InvalidEvent", index: 1, path: "name", raw: { name: 7 } } },
      })
    }),
  )

  it.scoped("is passed to onInvalid, and the list continues", () =>
    Effect.gen(function* () {
      const invalid: Array<InvalidEvent.InvalidEvent> = []
      const delivered: Array<unknown> = []
      const onInvalid = (event: InvalidEvent.InvalidEvent) =>
        Effect.sync(() => {
          invalid.push(event)
          delivered.push(`entry ${event.index}`)
        })
      yield* Stream.runForEach((yield* clientOf(table).client).listBySubscription(s1, { onInvalid }), (event) =>
        Effect.sync(() => delivered.push(event)),
      )
      expect(delivered).toEqual([{ name: "A" }, "entry 1", { name: "B" }, "entry 3"])
      expect(invalid.map(({ index }) => index)).toEqual([1, 3])
      expect(invalid[0]?.message).toMatch(
        /^HealthClient\.listBySubscription: entry 1 .+: name must be a string, not a number\./,
      )
    }),
  )

  it.scoped("fails the list with the error of onInvalid, which may need a service", () =>
    Effect.gen(function* () {
      class Alarm extends Context.Tag("Alarm")<Alarm, string>() {}
      const onInvalid = ({ index }: InvalidEvent.InvalidEvent) =>
        Effect.flatMap(Alarm, (alarm) => (index === 3 ? Effect.fail(alarm) : Effect.void))
      const stream = (yield* clientOf(table).client).listBySubscription(s1, { onInvalid })
      expectTypeOf<Stream.Stream.Context<typeof stream>>().toEqualTypeOf<Alarm>()
      const { delivered, exit } = yield* drain(Stream.provideService(stream, Alarm, "ring"))
      expect(delivered).toEqual([{ name: "A" }, { name: "B" }])
      expect(exit).toEqual(Exit.fail("ring"))
    }),
  )

  it.scoped("is in the invalid entries of its page", () =>
    Effect.gen(function* () {
      const [page] = yield* collect((yield* clientOf(table).client).pagesBySubscription(s1))
      expect(page?.items).toEqual([{ name: "A" }, { name: "B" }])
      expect(page?.invalid).toMatchObject([{ index: 1 }, { index: 3, path: "", raw: null }])
    }),
  )

  it.scoped("differs from an invalid body, which fails the list with DecodeError", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(collect((yield* clientOf({ [first]: [] }).client).listBySubscription(s1)))
      expect(error).toMatchObject({ _tag: "DecodeError", operation: "HealthClient.listBySubscription" })
    }),
  )
})

describe("IDs", () => {
  it.scoped("are encoded as path segments", () =>
    Effect.gen(function* () {
      const { client, seen } = clientOf({})
      const { listByResource, listBySubscription } = yield* client
      yield* Effect.flip(collect(listByResource(ResourceUri.make("subscriptions/ä b/x"))))
      yield* Effect.flip(collect(listBySubscription(SubscriptionId.make("a'b@c:d"))))
      expect(seen.map(({ url }) => new URL(url).pathname)).toEqual([
        "/subscriptions/%C3%A4%20b/x/providers/Vendor.ResourceHealth/events",
        "/subscriptions/a'b%40c%3Ad/providers/Vendor.ResourceHealth/events",
      ])
    }),
  )

  it.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "%2e%2e", "a\nb", "\ud800"])(
    "%j is an invalid SubscriptionId",
    (id) => {
      expect(() => SubscriptionId.make(id)).toThrow("SubscriptionId")
    },
  )

  it.each(["", "/", "a//b", "/a/../b", "/a/b/", "/a/b?c", "/a/%2e%2e"])("%j is an invalid ResourceUri", (uri) => {
    expect(() => ResourceUri.make(uri)).toThrow("ResourceUri")
  })
})

describe("the layer", () => {
  const configured = (values: Record<string, string>, layer = HealthClient.layerConfig()) =>
    Effect.provide(HealthClient.HealthClient, Layer.provide(layer, FetchHttpClient.layer)).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
    )

  it.scoped("reads its options from the configuration", () =>
    Effect.gen(function* () {
      const { layer, seen } = stubClient({})
      const values = { HEALTH_BASE_URL: base, HEALTH_ACCESS_TOKEN: "token-3a7f", HEALTH_VENDOR: "Acme" }
      yield* Effect.flatMap(HealthClient.HealthClient, ({ listBySubscription }) =>
        Effect.flip(collect(listBySubscription(s1))),
      ).pipe(
        Effect.provide(Layer.provide(HealthClient.layerConfig(), layer)),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
      )
      expect(seen[0]?.url).toContain("/providers/Acme.ResourceHealth/events")
      expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer token-3a7f" })
    }),
  )

  it.scoped("fails for missing or invalid options, and for plain HTTP", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(configured({}))).toMatchObject({ _op: "And" })
      const token = { HEALTH_ACCESS_TOKEN: "t" }
      expect(yield* Effect.flip(configured({ ...token, HEALTH_BASE_URL: "nowhere" }))).toMatchObject({
        _tag: "InvalidBaseUrl",
      })
      expect(yield* Effect.flip(configured({ ...token, HEALTH_BASE_URL: "http://far.example" }))).toMatchObject({
        _tag: "CredentialError",
      })
    }),
  )

  it("needs an HttpClient, and its methods need no services", () => {
    type Configured = ReturnType<typeof HealthClient.layerConfig>
    expectTypeOf<Layer.Layer.Success<Configured>>().toEqualTypeOf<HealthClient.HealthClient>()
    expectTypeOf<Layer.Layer.Error<Configured>["_tag"]>().toEqualTypeOf<
      "ConfigError" | "CredentialError" | "InvalidBaseUrl" | "InvalidSetting"
    >()
    expectTypeOf<Layer.Layer.Context<Configured>>().toEqualTypeOf<HttpClient.HttpClient>()
    expectTypeOf<Layer.Layer.Context<ReturnType<typeof HealthClient.layer>>>().toEqualTypeOf<HttpClient.HttpClient>()
    type Service = Context.Tag.Service<HealthClient.HealthClient>
    expectTypeOf<Stream.Stream.Context<ReturnType<Service["pagesBySubscription"]>>>().toEqualTypeOf<never>()
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
