/** Filters, details and sign-in tokens with the sandbox. */
import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import {
  Credential,
  Filter,
  HealthClient,
  OAuthImplicit,
  SubscriptionId,
  TrackingId,
  WithDetails,
} from "@vigil/health-client"
import { Events, OpenEnum, Sensitive } from "@vigil/health-schema"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"

const queryStartTime = "90 days"

const start = (options?: Sandbox.Options) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make(options)
    const client = yield* HealthClient.make({
      baseUrl: sandbox.baseUrl,
      credential: Credential.bearer(sandbox.accessToken),
    }).pipe(Effect.provide(FetchHttpClient.layer))
    const id = SubscriptionId.make(sandbox.world.subscriptions[0].id)
    return { sandbox, client, id, all: yield* collect(client.listBySubscription(id, { queryStartTime })) }
  })

describe("a filter", () => {
  it.scopedLive("returns exactly the matching events", () =>
    Effect.gen(function* () {
      const { all, client, id } = yield* start()
      const { region, service } = Events.impacts(all[0] ?? {})[0] ?? { region: "", service: "" }
      const other = Events.impacts(all.at(-1) ?? {})[0]?.region ?? ""
      const cases: ReadonlyArray<readonly [Filter.Filter | string, (event: (typeof all)[number]) => boolean]> = [
        [Filter.service(service), Events.concerns({ service })],
        [Filter.region(region), Events.concerns({ region })],
        [Filter.property("eventType", "serviceissue"), (e) => OpenEnum.equals(e.properties?.eventType, "ServiceIssue")],
        [
          Filter.or(Filter.region(region), Filter.region(other)),
          (event) => Events.concerns(event, { region }) || Events.concerns(event, { region: other }),
        ],
        [`properties/status eq Resolved`, (e) => OpenEnum.equals(e.properties?.status, "Resolved")],
        [Filter.service("' or service eq 'x"), () => false],
      ]
      for (const [filter, holds] of cases)
        expect(yield* collect(client.listBySubscription(id, { queryStartTime, filter }))).toEqual(all.filter(holds))
      expect(yield* Effect.flip(collect(client.listBySubscription(id, { filter: "service ~ 'A'" })))).toMatchObject({
        _tag: "ServiceError",
        status: 400,
        code: "InvalidODataQueryOptions",
      })
    }),
  )
})

describe("details", () => {
  it.scopedLive.each(["2025-05-01", "2025-04-01"] as const)(
    "of every sensitive event are available in version %s",
    (apiVersion) =>
      Effect.gen(function* () {
        const { client, id, sandbox } = yield* start()
        const events = yield* collect(client.listBySubscription(id, { apiVersion, queryStartTime }))
        const withheld = events.filter(Sensitive.hasWithheldTexts)
        expect(withheld.length).toBeGreaterThan(5)
        const revealed = yield* Stream.fromIterable(events).pipe(
          WithDetails.withDetails(id, { apiVersion }),
          Stream.runCollect,
          Effect.provideService(HealthClient.HealthClient, client),
        )
        for (const [index, event] of [...revealed].entries()) {
          const details = sandbox.world.events.find((each) => each.event.name === event.name)?.event.properties
          expect(event.name).toBe(events[index]?.name)
          expect(event.properties?.description).toEqual(details?.description)
          expect(event.properties?.summary).toEqual(details?.summary)
        }
        const name = TrackingId.make(withheld[0]?.name ?? "")
        expect(yield* client.fetchEventDetails(id, name)).toMatchObject({
          name,
          properties: { isEventSensitive: true },
        })
        const missing = yield* Effect.flip(client.fetchEventDetails(id, TrackingId.make("NONE-000")))
        expect(missing).toMatchObject({ _tag: "NotFound" })
      }),
  )

  it.scopedLive("need a separate permission", () =>
    Effect.gen(function* () {
      const { all, client, id } = yield* start({ details: false })
      const error = yield* Stream.fromIterable(all).pipe(
        WithDetails.withDetails(id),
        Stream.runDrain,
        Effect.provideService(HealthClient.HealthClient, client),
        Effect.flip,
      )
      expect(error).toMatchObject({ _tag: "Forbidden", code: "AuthorizationFailed" })
    }),
  )
})

describe("a token of the sandbox sign-in", () => {
  it.scopedLive("is accepted for lists", () =>
    Effect.gen(function* () {
      const { all, id, sandbox } = yield* start()
      const state = yield* OAuthImplicit.makeState
      const url = yield* OAuthImplicit.authorizationUrl({
        authUrl: sandbox.baseUrl,
        clientId: "vigil",
        redirectUri: "http://localhost:8400/signed-in",
        state,
        // The sandbox redirects without a sign-in page.
        parameters: { prompt: "none" },
      })
      const { headers } = yield* Effect.promise(() => fetch(url, { redirect: "manual" }))
      const grant = yield* OAuthImplicit.readResponse({ response: headers.get("location") ?? "", state })
      const client = yield* HealthClient.make({
        baseUrl: sandbox.baseUrl,
        credential: OAuthImplicit.credential(grant),
      }).pipe(Effect.provide(FetchHttpClient.layer))
      expect(yield* collect(client.listBySubscription(id, { queryStartTime }))).toEqual(all)
    }),
  )
})
