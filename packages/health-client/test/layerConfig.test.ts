import { FetchHttpClient } from "@effect/platform"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Credential, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { collect } from "./collect.js"

const list = (values: Record<string, string>, options: Parameters<typeof HealthClient.layerConfig>[0]) =>
  Effect.flatMap(HealthClient.HealthClient, ({ listBySubscription }) =>
    collect(listBySubscription(SubscriptionId.make("s1"))),
  ).pipe(
    Effect.provide(Layer.provide(HealthClient.layerConfig(options), FetchHttpClient.layer)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
  )

describe("layerConfig", () => {
  it.scopedLive("accepts a record of values and configs, and reads omitted options by default names", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      const values = { MY_URL: server.origin, HEALTH_ACCESS_TOKEN: "token-by-default", HEALTH_VENDOR: "Acme" }
      expect(yield* list(values, { baseUrl: Config.string("MY_URL"), userAgent: "nightly" })).toEqual([])
      expect(yield* server.requests).toMatchObject([
        {
          target: expect.stringContaining("/Acme.ResourceHealth/"),
          headers: { authorization: "Bearer token-by-default", "user-agent": "nightly" },
        },
      ])
    }),
  )

  it.scopedLive("accepts values in place of the default names", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      const options = { baseUrl: server.origin, credential: Credential.none, vendor: "Microsoft" }
      expect(yield* list({ HEALTH_VENDOR: "Acme" }, options)).toEqual([])
      const [request] = yield* server.requests
      expect(request?.target).toContain("/Microsoft.ResourceHealth/")
      expect(request?.headers).not.toHaveProperty("authorization")
    }),
  )

  it("accepts only options of the right types", () => {
    const use = () => {
      void HealthClient.layerConfig(HealthClient.config)
      void HealthClient.layerConfig({ credential: Config.map(Config.redacted("T"), Credential.bearer) })
      void HealthClient.layerConfig({ timeout: "10 seconds", concurrency: Config.integer("C"), vendor: "Microsoft" })
      // @ts-expect-error -- a credential determines how its secret is sent
      void HealthClient.layerConfig({ credential: Config.redacted("T") })
      // @ts-expect-error -- unknown option
      void HealthClient.layerConfig({ url: "https://service.example" })
      // @ts-expect-error -- a Config of all options must include the required ones
      void HealthClient.layerConfig(Config.all({ baseUrl: Config.string("B") }))
    }
    expectTypeOf(use).toBeFunction()
  })
})
