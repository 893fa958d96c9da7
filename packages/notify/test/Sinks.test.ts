import * as ByteSize from "effect/ByteSize"
import * as FileSystem from "effect/FileSystem"
import * as PlatformError from "effect/PlatformError"
import { describe, expect, it } from "@effect/vitest"
import { TestHttpClient } from "@vigil/core-http"
import { Sinks } from "@vigil/notify"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as StandardWebhooks from "standardwebhooks"
import { notification, routesOf } from "./notifications.js"

const notFound = (reason: "NotFound" | "PermissionDenied", pathOrDescriptor: string) =>
  PlatformError.systemError({ _tag: reason, module: "FileSystem", method: "readFile", pathOrDescriptor })

const texts: Readonly<Record<string, string>> = {
  "/secrets/slack": "https://hooks.example/1\n",
  "/secrets/empty": " \n",
  "/secrets/zero": "0".repeat(70_000),
}

const info = (type: FileSystem.File.Type): FileSystem.File.Info => ({
  type,
  mtime: Option.none(),
  atime: Option.none(),
  birthtime: Option.none(),
  dev: 0n,
  ino: Option.none(),
  mode: 0o600,
  nlink: Option.none(),
  uid: Option.none(),
  gid: Option.none(),
  rdev: Option.none(),
  size: ByteSize.zero,
  blksize: Option.none(),
  blocks: Option.none(),
})

const files = FileSystem.layerNoop({
  stat: (path) => {
    if (path === "/secrets/pipe") return Effect.succeed(info("FIFO"))
    return texts[path] === undefined
      ? Effect.fail(notFound(path === "/secrets/locked" ? "PermissionDenied" : "NotFound", path))
      : Effect.succeed(info("File"))
  },
  stream: (path) => Stream.make(new TextEncoder().encode(texts[path])),
})

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const provide = <A, E, R>(effect: Effect.Effect<A, E, FileSystem.FileSystem | R>) =>
  effect.pipe(
    Effect.provide(files),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({
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
    yield* Effect.forEach(all, ({ deliver }) => Effect.result(deliver(notification())))
    return { names: all.map(({ name }) => name), sent }
  })

describe("the sinks of routes", () => {
  it.effect("use the secrets from environment variables and files", () =>
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
      expect(sent.map(({ url }) => url.href)).toEqual([
        "https://hooks.example/1",
        "https://hooks.example/1",
        "https://events.pagerduty.com/v2/enqueue",
        "http://alertmanager:9093/api/v2/alerts",
        "https://alerts.example/api/v2/alerts",
        "https://hooks.example/1",
      ])
      expect(sent[4]?.headers["authorization"]).toBe("Bearer t1")
      expect(sent[2]?.body).toContain(`"routing_key":"${"k".repeat(32)}"`)
      expect(sent[5]?.headers["webhook-signature"]).toBe(
        new StandardWebhooks.Webhook(webhookSecret).sign(notification().id, new Date(0), sent[5]?.body ?? ""),
      )
    }),
  )

  it.effect("get their options by name", () =>
    Effect.gen(function* () {
      const alertmanager = { type: "alertmanager", url: "http://127.0.0.1:9093" }
      const options = (name: string) => (name === "one" ? { labels: { stage: "test" } } : {})
      const { sent } = yield* provide(deliverAll({ one: alertmanager, other: alertmanager }, options))
      expect(sent.map(({ body }) => body.includes('"stage":"test"'))).toEqual([true, false])
    }),
  )

  it.effect.each([
    [{ type: "slack", url: { env: "TOKEN" } }, "url (the environment variable TOKEN)"],
    [{ type: "pagerduty", routingKey: { env: "TOKEN" } }, "routingKey (the environment variable TOKEN)"],
    [{ type: "alertmanager", url: "http://alerts.example", token: { env: "TOKEN" } }, "url"],
    [
      { type: "webhook", url: { file: "/secrets/slack" }, secret: { file: "/secrets/slack" } },
      'secret (the file "/secrets/slack")',
    ],
  ] as const)("are named by the error of an invalid field: %j", ([sink, field]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(provide(deliverAll({ bad: sink })))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting: `${field} of the sink "bad"` })
      expect(error.message).not.toMatch(/t1|hooks/)
    }),
  )
})

it.effect("secrets that are missing are all listed by name", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(
      provide(
        deliverAll({
          chat: { type: "slack", url: { file: "/secrets/none" } },
          team: { type: "teams", url: { file: "/secrets/locked" } },
          pager: { type: "pagerduty", routingKey: { env: "NONE" } },
          pipe: { type: "slack", url: { file: "/secrets/pipe" } },
          zero: { type: "slack", url: { file: "/secrets/zero" } },
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
        "url of the sink pipe: the file /secrets/pipe is not a regular file",
        "url of the sink zero: the file /secrets/zero is too long",
        "url of the sink hook: the file /secrets/empty is empty",
        "secret of the sink hook: the environment variable EMPTY is empty",
      ].join("\n"),
    )
  }),
)
