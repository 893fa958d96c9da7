import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as FileSystem from "effect/FileSystem"
import { NodeFileSystem } from "@effect/platform-node"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import { Sinks } from "@vigil/notify"
import { record } from "@vigil/testing/Recorder"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as StandardWebhooks from "standardwebhooks"
import { notification, routesOf } from "./notifications.js"

const directory = mkdtempSync(join(tmpdir(), "sinks-"))
afterAll(() => rmSync(directory, { recursive: true }))

const file = (name: string, text?: string) => {
  const path = join(directory, name)
  if (text !== undefined) writeFileSync(path, text)
  return { file: path }
}

const url = file("url", "https://hooks.example/1\n")
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const provide = <A, E, R>(effect: Effect.Effect<A, E, FileSystem.FileSystem | R>) =>
  effect.pipe(
    Effect.provide(NodeFileSystem.layer),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({
        PAGER_KEY: "k".repeat(32),
        ALERTS_URL: "https://alerts.example/canary",
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
      const { result, text } = yield* provide(
        record(
          deliverAll({
            chat: { type: "slack", url },
            team: { type: "teams", url, minimumLevel: "Error" },
            pager: { type: "pagerduty", routingKey: { env: "PAGER_KEY" } },
            alerts: { type: "alertmanager", url: "http://alertmanager:9093" },
            other: { type: "alertmanager", url: { env: "ALERTS_URL" }, token: { env: "TOKEN" } },
            hook: { type: "webhook", url, secret: { env: "HOOK_SECRET" } },
          }),
        ),
      )
      const { names, sent } = result
      expect(text).toContain("https://alerts.example")
      expect(text).not.toContain("canary")
      expect(names).toEqual(["chat", "team", "pager", "alerts", "other", "hook"])
      expect(sent.map(({ url }) => url.href)).toEqual([
        "https://hooks.example/1",
        "https://hooks.example/1",
        "https://events.pagerduty.com/v2/enqueue",
        "http://alertmanager:9093/api/v2/alerts",
        "https://alerts.example/canary/api/v2/alerts",
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
    [{ type: "webhook", url, secret: url }, `secret (the file "${url.file}")`],
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
          chat: { type: "slack", url: file("none") },
          team: { type: "teams", url: file("url/x") },
          pager: { type: "pagerduty", routingKey: { env: "NONE" } },
          device: { type: "slack", url: { file: "/dev/zero" } },
          long: { type: "slack", url: file("long", "0".repeat(70_000)) },
          hook: { type: "webhook", url: file("empty", " \n"), secret: { env: "EMPTY" } },
        }),
      ),
    )
    expect(error).toMatchObject({ _tag: "SecretsError", isRetryable: false })
    expect(error.message).toBe(
      [
        "Could not read the secrets of the routes. Set them:",
        `url of the sink chat: the file ${directory}/none does not exist`,
        `url of the sink team: the file ${directory}/url/x can't be read`,
        "routingKey of the sink pager: the environment variable NONE is not set",
        "url of the sink device: the file /dev/zero is not a regular file",
        `url of the sink long: the file ${directory}/long is too long`,
        `url of the sink hook: the file ${directory}/empty is empty`,
        "secret of the sink hook: the environment variable EMPTY is empty",
      ].join("\n"),
    )
  }),
)
