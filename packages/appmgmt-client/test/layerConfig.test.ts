import { FetchHttpClient } from "@effect/platform"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { AppManagement } from "@vigil/appmgmt-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const using = <A, E>(
  values: Record<string, string>,
  options: Parameters<typeof AppManagement.layerConfig>[0],
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
) =>
  Effect.flatMap(AppManagement.AppManagement, use).pipe(
    Effect.provide(Layer.provide(AppManagement.layerConfig(options), FetchHttpClient.layer)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
  )

describe("layerConfig", () => {
  it.scopedLive("accepts a record of values and configs, and reads omitted options by their default names", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json({ name: "ada" })])
      const options = { baseUrl: server.origin, userAgent: Config.string("MY_AGENT"), timeout: "10 seconds" } as const
      const values = { MY_AGENT: "nightly", APPMGMT_API_TOKEN: "token-by-default" }
      expect(yield* using(values, options, (apps) => apps.user)).toEqual({ name: "ada" })
      expect(yield* server.requests).toMatchObject([
        { headers: { "user-agent": "nightly", "x-api-token": "token-by-default" } },
      ])
    }),
  )

  it.scoped("fails when the layer is built if the secret is missing", () =>
    Effect.gen(function* () {
      const options = { baseUrl: "https://apps.example", apiToken: Config.redacted("MY_TOKEN") }
      const error = yield* Effect.flip(using({}, options, () => Effect.die("the layer was built")))
      expect(String(error)).toContain("at MY_TOKEN:")
    }),
  )

  it("accepts only options of the right types", () => {
    const use = () => {
      void AppManagement.layerConfig(AppManagement.config)
      void AppManagement.layerConfig({ apiToken: Config.redacted("T"), concurrency: Config.integer("C") })
      void AppManagement.layerConfig({ timeout: Config.duration("D"), rateLimit: { requests: 1, per: "1 second" } })
      // @ts-expect-error -- a token is redacted
      void AppManagement.layerConfig({ apiToken: Config.string("T") })
      // @ts-expect-error -- this option does not exist
      void AppManagement.layerConfig({ token: Config.redacted("T") })
      // @ts-expect-error -- a Config of all options includes the required ones
      void AppManagement.layerConfig(Config.all({ baseUrl: Config.string("B") }))
    }
    expectTypeOf(use).toBeFunction()
  })
})
