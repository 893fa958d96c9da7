import { FetchHttpClient } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { NodeFileSystem } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Delivery, Webhook } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import { layerDelivery } from "../examples/delivery.js"
import { deliverToAll } from "../examples/sinks.js"
import { receive } from "../examples/receiver.js"
import { sample } from "./notifications.js"

const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`

it.live("receiver verifies and decodes the request of a sink", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.empty(204)])
    const sink = yield* Webhook.make({ url: Redacted.make(server.origin), secrets: [Redacted.make(secret)] })
    yield* sink.deliver(sample)
    const { body, headers } = yield* server.awaitRequests(1)
    expect(receive(body, headers, secret)).toEqual(sample)
    expect(() => receive(`${body} `, headers, secret)).toThrow("No matching signature")
  }).pipe(Effect.provide(FetchHttpClient.layer)),
)

it.effect("sinks delivers to all targets although one fails", () =>
  Effect.gen(function* () {
    const hosts: Array<string> = []
    const fetch: typeof globalThis.fetch = (input, { method } = {}) => {
      const { host } = new URL(String(input))
      hosts.push(`${method} ${host}`)
      if (method === "GET") return Promise.resolve(Response.json([]))
      if (host === "alertmanager.example") return Promise.resolve(new Response())
      const status = host === "workflow.example" ? 400 : 202
      return Promise.resolve(Response.json({ status: "success" }, { status }))
    }
    vi.stubEnv("TEAMS_WEBHOOK_URL", "https://workflow.example/secret")
    vi.stubEnv("PAGERDUTY_ROUTING_KEY", "0".repeat(32))
    vi.stubEnv("ALERTMANAGER_TOKEN", "token")
    vi.stubEnv("WEBHOOK_URL", "https://receiver.example/secret")
    vi.stubEnv("WEBHOOK_SECRET", secret)
    vi.stubEnv("WEBHOOK_OLD_SECRET", secret)
    const logs: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void logs.push(message))])
    yield* deliverToAll(sample).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch), Effect.provide(logger))
    expect(hosts.toSorted()).toEqual([
      "GET alertmanager.example",
      "POST alertmanager.example",
      "POST events.eu.pagerduty.com",
      "POST receiver.example",
      "POST workflow.example",
    ])
    expect(logs).toEqual([[expect.stringMatching(/^teams: Teams.deliver: .* responded 400/), { isFinal: true }]])
  }),
)

it.effect("delivery delivers by the routes of a document", () =>
  Effect.gen(function* () {
    const hosts: Array<string> = []
    const fetch: typeof globalThis.fetch = (input) => {
      hosts.push(new URL(String(input)).host)
      return Promise.resolve(new Response("ok"))
    }
    vi.stubEnv("SLACK_URL", "https://hooks.example/secret")
    const routes = "{ sinks: { chat: { type: slack, url: { env: SLACK_URL } } }, routes: [{ to: chat }] }"
    const context = yield* Effect.provideService(Layer.build(layerDelivery(routes)), FetchHttpClient.Fetch, fetch)
    const delivery = Context.get(context, Delivery.Delivery)
    yield* delivery.deliver(sample)
    yield* delivery.flush
    expect(hosts).toEqual(["hooks.example"])
  }).pipe(Effect.provide([FetchHttpClient.layer, KeyValueStore.layerMemory, NodeFileSystem.layer])),
)
