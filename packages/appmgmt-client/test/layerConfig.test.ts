import { FetchHttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { AppManagement } from "@vigil/appmgmt-client"
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
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values)),
  )

describe("layerConfig", () => {
  it.effect("fails when the layer is built if the secret is missing", () =>
    Effect.gen(function* () {
      const options = Config.all({
        baseUrl: Config.succeed("https://apps.example"),
        apiToken: Config.Redacted("MY_TOKEN"),
      })
      const error = yield* Effect.flip(using({}, options, () => Effect.die("the layer was built")))
      expect(String(error)).toContain("MY_TOKEN")
    }),
  )

  it("accepts only options of the right types", () => {
    const use = () => {
      void AppManagement.layerConfig(AppManagement.config)
      // @ts-expect-error -- a Config of all options includes the required ones
      void AppManagement.layerConfig(Config.all({ baseUrl: Config.String("B") }))
    }
    expectTypeOf(use).toBeFunction()
  })
})
