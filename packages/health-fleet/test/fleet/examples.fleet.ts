import { expect, it } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { SubscriptionId } from "@vigil/health-client"
import { Status } from "@vigil/health-fleet"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { FetchHttpClient } from "effect/http"
import { vi } from "vitest"
import { operate } from "../../examples/operations.js"
import { Runner } from "../../examples/runner.js"
import { database, eventually, ground, sqlLayer } from "./ground.js"

it.live("runner posts the open events of the subscriptions", () =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, put, subscriptions, url } = yield* ground()
    yield* put("E", subscriptions)
    const hosts: Array<string> = []
    const hooked: typeof fetch = (input, init) => {
      const { host } = new URL(String(input))
      if (host !== "hooks.example") return fetch(input, init)
      hosts.push(host)
      return Promise.resolve(new Response("ok"))
    }
    const settings = {
      VIGIL_DATABASE_URL: Redacted.value(url),
      SLACK_WEBHOOK_URL: "https://hooks.example/secret",
      HEALTH_BASE_URL: baseUrl,
      HEALTH_ACCESS_TOKEN: Redacted.value(accessToken),
    }
    const provider = ConfigProvider.fromUnknown(settings)
    yield* Layer.launch(Runner).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, provider),
      Effect.provideService(FetchHttpClient.Fetch, hooked),
      Effect.forkScoped,
    )
    yield* eventually(Effect.sync(() => hosts.length === 1))
  }),
)

it.live("operations adds subscriptions and prints the state", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    vi.spyOn(console, "log").mockImplementation((...line: ReadonlyArray<unknown>) => void lines.push(line))
    const url = yield* database
    const ids = ["one", "other"].map((id) => SubscriptionId.make(id))
    yield* operate(ids).pipe(Effect.provide(PgClient.layer({ url })))
    expect(lines).toEqual([[expect.stringMatching(/^2 added, 0 runners, /), []]])
    const all = yield* Status.subscriptions.pipe(Effect.provide(sqlLayer(url)))
    expect(all.map(({ id }) => id)).toEqual(ids)
  }),
)
