/** Filters, details and sign-in tokens with the sandbox. */
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Filter, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Events, OpenEnum } from "@vigil/health-schema"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
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
  it.live("returns exactly the matching events", () =>
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
