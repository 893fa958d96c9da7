import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformError from "@effect/platform/Error"
import { describe, expect, it } from "@effect/vitest"
import { Sinks } from "@vigil/notify"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { routesOf } from "./notifications.js"

const notFound = (reason: "NotFound" | "PermissionDenied", pathOrDescriptor: string) =>
  new PlatformError.SystemError({ module: "FileSystem", method: "readFile", reason, pathOrDescriptor })

const texts: Readonly<Record<string, string>> = {
  "/secrets/slack": "https://hooks.example/1\n",
  "/secrets/empty": " \n",
}

const files = FileSystem.layerNoop({
  readFileString: (path) => {
    const text = texts[path]
    return text === undefined
      ? Effect.fail(notFound(path === "/secrets/locked" ? "PermissionDenied" : "NotFound", path))
      : Effect.succeed(text)
  },
})

const provide = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem>) =>
  effect.pipe(
    Effect.provide(files),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["PAGER_KEY", "k1"],
          ["EMPTY", " "],
        ]),
      ),
    ),
  )

describe("secrets", () => {
  it.effect("are read from the environment and from files", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: {
          chat: { type: "slack", url: { file: "/secrets/slack" } },
          team: { type: "teams", url: { file: "/secrets/slack" }, minimumLevel: "Error" },
          pager: { type: "pagerduty", routingKey: { env: "PAGER_KEY" } },
          alerts: { type: "alertmanager", url: "http://127.0.0.1:9093" },
          other: { type: "alertmanager", url: { env: "PAGER_KEY" }, token: { env: "PAGER_KEY" } },
          hook: { type: "webhook", url: { file: "/secrets/slack" }, secret: { env: "PAGER_KEY" } },
        },
        routes: [],
      })
      const settings = yield* provide(Sinks.secrets(routes))
      const url = Redacted.make("https://hooks.example/1")
      const key = Redacted.make("k1")
      expect(Object.fromEntries(settings)).toEqual({
        chat: { type: "slack", url },
        team: { type: "teams", url, minimumLevel: "Error" },
        pager: { type: "pagerduty", routingKey: key },
        alerts: { type: "alertmanager", url: Redacted.make("http://127.0.0.1:9093") },
        other: { type: "alertmanager", url: key, token: key },
        hook: { type: "webhook", url, secret: key },
      })
      const constructor = (name: string, { type }: Sinks.Settings) =>
        Effect.succeed({ name: `${name} (${type})`, deliver: () => Effect.void })
      const constructors = {
        slack: constructor,
        teams: constructor,
        pagerduty: constructor,
        alertmanager: constructor,
        webhook: constructor,
      }
      const sinks = yield* provide(Sinks.make(routes, constructors))
      expect(sinks.map(({ name }) => name).slice(0, 3)).toEqual(["chat (slack)", "team (teams)", "pager (pagerduty)"])
    }),
  )

  it.effect("that are missing are all listed by name", () =>
    Effect.gen(function* () {
      const routes = routesOf({
        sinks: {
          chat: { type: "slack", url: { file: "/secrets/none" } },
          team: { type: "teams", url: { file: "/secrets/locked" } },
          pager: { type: "pagerduty", routingKey: { env: "NONE" } },
          hook: { type: "webhook", url: { file: "/secrets/empty" }, secret: { env: "EMPTY" } },
        },
        routes: [],
      })
      const error = yield* Effect.flip(provide(Sinks.secrets(routes)))
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
})
