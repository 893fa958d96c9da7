import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformError from "@effect/platform/Error"
import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import { Sinks } from "@vigil/notify"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { notification, routesOf } from "./notifications.js"

const texts: Readonly<Record<string, string>> = { slack: "https://hooks.example/1\n", empty: " \n" }

const files = FileSystem.layerNoop({
  readFileString: (pathOrDescriptor) => {
    const name = pathOrDescriptor.replace("/secrets/", "")
    const reason = name === "locked" ? "PermissionDenied" : "NotFound"
    const error = { module: "FileSystem", method: "readFile", reason, pathOrDescriptor } as const
    const text = texts[name]
    return text === undefined ? Effect.fail(new PlatformError.SystemError(error)) : Effect.succeed(text)
  },
})

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const provide = <A, E, R>(effect: Effect.Effect<A, E, FileSystem.FileSystem | R>) =>
  effect.pipe(
    Effect.provide(files),
    Effect.withConfigProvider(
      ConfigProvider.fromJson({
        PAGER_KEY: "k".repeat(32),
        ALERTS_URL: "https://alerts.example",
        TOKEN: "t1",
        HOOK_SECRET: webhookSecret,
        EMPTY: " ",
      }),
    ),
  )

/** Makes the sinks, delivers a notification to each, and returns the requests that are not GET. */
const deliverAll = (sinks: unknown, options?: (name: string) => Sinks.Options) =>
  Effect.gen(function* () {
    const sent: Array<TestHttpClient.TestRequest> = []
    const http = TestHttpClient.layer((request) => {
      if (request.method !== "GET") sent.push(request)
      return { json: [] }
    })
    const all = yield* Effect.provide(Sinks.make(routesOf({ sinks, routes: [] }), options), http)
    yield* Effect.forEach(all, ({ deliver }) => deliver(notification()))
    return { names: all.map(({ name }) => name), sent }
  })

describe("the sinks of routes", () => {
  it.scoped("use the secrets from environment variables and files", () =>
    Effect.gen(function* () {
      const { names, sent } = yield* provide(
        deliverAll({
          chat: { type: "slack", url: { file: "/secrets/slack" } },
          team: { type: "teams", url: { file: "/secrets/slack" }, minimumLevel: "Error" },
          pager: { type: "pagerduty", routingKey: { env: "PAGER_KEY" } },
          alerts: { type: "alertmanager", url: "http://alertmanager:9093" },
          other: { type: "alertmanager", url: { env: "ALERTS_URL" }, token: { env: "TOKEN" } },
          hook: { type: "webhook", url: { file: "/secrets/slack" }, secret: { env: "HOOK_SECRET" } },
        }),
      )
      expect(names).toEqual(["chat", "team", "pager", "alerts", "other", "hook"])
      const hosts = ["hooks.example", "hooks.example", "events.pagerduty.com", "alertmanager:9093", "alerts.example"]
      expect(sent.map(({ url }) => url.host)).toEqual([...hosts, "hooks.example"])
      expect(sent[4]?.headers["authorization"]).toBe("Bearer t1")
      expect(sent[2]?.body).toContain(`"routing_key":"${"k".repeat(32)}"`)
      expect(sent[5]?.headers["webhook-signature"]).toMatch(/^v1,/)
    }),
  )

  it.scoped("get their options by name", () =>
    Effect.gen(function* () {
      const alertmanager = { type: "alertmanager", url: "http://127.0.0.1:9093" }
      const options = (name: string) => (name === "one" ? { labels: { stage: "test" } } : {})
      const { sent } = yield* provide(deliverAll({ one: alertmanager, other: alertmanager }, options))
      expect(sent.map(({ body }) => body.includes('"stage":"test"'))).toEqual([true, false])
    }),
  )

  it.scoped("are named by the error of an invalid field", () =>
    Effect.gen(function* () {
      const sink = { type: "webhook", url: { file: "/secrets/slack" }, secret: { file: "/secrets/slack" } }
      const error = yield* Effect.flip(provide(deliverAll({ bad: sink })))
      const setting = 'secret (the file "/secrets/slack") of the sink "bad"'
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      expect(error.message).not.toMatch(/hooks/)
    }),
  )
})

it.scoped("secrets that are missing are all listed by name", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(
      provide(
        deliverAll({
          chat: { type: "slack", url: { file: "/secrets/none" } },
          team: { type: "teams", url: { file: "/secrets/locked" } },
          pager: { type: "pagerduty", routingKey: { env: "NONE" } },
          hook: { type: "webhook", url: { file: "/secrets/empty" }, secret: { env: "EMPTY" } },
        }),
      ),
    )
    expect(error).toMatchObject({ _tag: "SecretsError", retryable: false })
    expect(error.message).toBe(
      [
        "Could not read the secrets of the routes. Set them:",
        "url of the sink chat: the file /secrets/none does not exist",
        "url of the sink team: the file /secrets/locked can't be read",
        "routingKey of the sink pager: the environment variable NONE is not set",
        "url of the sink hook: the file /secrets/empty is empty",
        "secret of the sink hook: the environment variable EMPTY is empty",
      ].join("\n"),
    )
  }),
)
