import { FetchHttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
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
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
  )

describe("layerConfig", () => {
  it.live("reads the options from a Config", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ value: [] })])
      const values = { MY_URL: server.origin, HEALTH_ACCESS_TOKEN: "token-by-default", HEALTH_VENDOR: "Acme" }
      const config = Config.map(
        Config.all([HealthClient.config, Config.String("MY_URL")]),
        ([options, baseUrl]): HealthClient.Options => ({ ...options, baseUrl, userAgent: "nightly" }),
      )
      expect(yield* list({ HEALTH_BASE_URL: "https://unused.example", ...values }, config)).toEqual([])
      expect(yield* server.requests).toMatchObject([
        {
          target: expect.stringContaining("/Acme.ResourceHealth/"),
          headers: { authorization: "Bearer token-by-default", "user-agent": "nightly" },
        },
      ])
    }),
  )

  it.live("fails for a missing option, an invalid URL, and plain HTTP", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(list({}, undefined))).toMatchObject({ _tag: "ConfigError" })
      const failure = (baseUrl: string) =>
        Effect.flip(list({ HEALTH_ACCESS_TOKEN: "t", HEALTH_BASE_URL: baseUrl }, undefined))
      expect(yield* failure("nowhere")).toMatchObject({ _tag: "InvalidBaseUrl" })
      expect(yield* failure("http://far.example")).toMatchObject({ _tag: "CredentialError" })
    }),
  )

  it("accepts only options of the right types", () => {
    const use = () => {
      void HealthClient.layerConfig(HealthClient.config)
      // @ts-expect-error -- a Config of all options must include the required ones
      void HealthClient.layerConfig(Config.all({ baseUrl: Config.String("B") }))
    }
    expectTypeOf(use).toBeFunction()
  })
})
