/** What these tests stand on: the HTTP layers, a client of a server that fails, and an eye on every place where a secret may show. */
import { inspect } from "node:util"
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Agent } from "@effect/platform-node/Undici"
import { expect } from "@effect/vitest"
import { AppManagement, AppName, Email, RetryPolicy } from "@vigil/appmgmt-client"
import { Faults, type Reply } from "@vigil/sandbox"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"

type Layers = ReadonlyArray<readonly [name: "fetch" | "node" | "undici", layer: Layer.Layer<HttpClient.HttpClient>]>

const chosen = (all: Layers): Layers =>
  all.filter(([name]) => process.env["HTTP_LAYERS"]?.split(",").includes(name) ?? true)

/** Every HTTP client that the package is made for; those that `HTTP_LAYERS` names, where it does. */
export const layers = chosen([
  ["fetch", FetchHttpClient.layer],
  ["node", NodeHttpClient.layer],
  ["undici", NodeHttpClient.layerUndici],
])

/** One of them, for what no HTTP client has a part in. */
export const anyLayer = layers[0]?.[1] ?? FetchHttpClient.layer

const dispatcher = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connect: { ca: Faults.certificate } })),
  (agent) => Effect.promise(() => agent.destroy()),
)

const trusting: Layers = [
  [
    "fetch",
    Layer.provideMerge(
      FetchHttpClient.layer,
      Layer.scoped(
        FetchHttpClient.RequestInit,
        // `dispatcher` is Node's own addition to what `fetch` takes.
        Effect.map(dispatcher, (agent) => Object.assign<RequestInit, object>({}, { dispatcher: agent })),
      ),
    ),
  ],
  ["node", Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ ca: Faults.certificate }))],
  [
    "undici",
    Layer.provide(NodeHttpClient.layerUndiciWithoutDispatcher, Layer.scoped(NodeHttpClient.Dispatcher, dispatcher)),
  ],
]

/** The HTTP client of this name, which trusts the certificate of the fault server. */
export const trustingLayer = (name: string): Layer.Layer<HttpClient.HttpClient> =>
  trusting.find(([own]) => own === name)?.[1] ?? Layer.die(`There is no layer ${name}.`)

/** The token of these tests; it is nowhere else. */
export const canary = "canary-91be-4f07-c2d8"

/** Retries that tests need not wait for. */
const impatient = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

/** An app, and a user of it. */
export const shop = AppName.make("contoso", "shop")
export const ada = Email.make("ada@contoso.example")

/** A client of the service at an address. */
export const connect = (baseUrl: string, options: Partial<AppManagement.Options> = {}) =>
  AppManagement.make({ baseUrl, apiToken: Redacted.make(canary), retry: impatient, ...options })

/** What a call of a client of the scripted server came to, and what the server was asked. */
export const ask = <A, E>(
  script: Reply.Script,
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
  options?: Partial<AppManagement.Options>,
) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const apps = yield* connect(server.origin, options)
    const answer = yield* guarded([server], use(apps))
    return { answer, requests: yield* server.requests }
  })

/** All that a value is printed as, and all that an error is. */
export const printed = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 20, showHidden: true }),
    Cause.pretty(Cause.fail(value), { renderErrorCause: true }),
    value instanceof Error ? `${value.message}\n${value.stack}` : "",
  ].join("\n")

/** Runs with everything that is logged or traced written down. */
const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const seen: Array<string> = []
  const logger = Logger.make((entry) => {
    seen.push(inspect(entry.message, { depth: 20 }), Cause.pretty(entry.cause), inspect(entry.annotations))
  })
  let ids = 0
  const tracer = Tracer.make({
    context: (run) => run(),
    span: (name, parent, context, links, startTime, kind, options) => {
      const attributes = new Map(Object.entries(options?.attributes ?? {}))
      return {
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        attributes,
        spanId: String(++ids).padStart(16, "0"),
        traceId: "1".padStart(32, "0"),
        sampled: true,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        addLinks: () => undefined,
        event: (event, _time, more) => void seen.push(event, inspect(more)),
        end: (_time, exit: Exit.Exit<unknown, unknown>) => {
          seen.push(name, inspect(attributes), inspect(exit, { depth: 20 }))
          if (exit._tag === "Failure") seen.push(Cause.pretty(exit.cause))
        },
      }
    },
  })
  return effect.pipe(
    Logger.withMinimumLogLevel(LogLevel.All),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    Effect.withTracer(tracer),
    Effect.map((result) => ({ result, seen })),
  )
}

/** Runs, and then looks for the token: each request has it, once; nothing that is answered, told, logged or traced does. */
export const guarded = <A, E, R>(
  [server, foreign]: readonly [service: Faults.Server, foreign?: Faults.Server],
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Either.Either<A, E>, never, R> =>
  Effect.gen(function* () {
    const { result, seen } = yield* watched(Effect.either(effect))
    const requests = yield* server.requests
    for (const { headers, raw } of requests) {
      expect(headers["x-api-token"]).toBe(canary)
      expect(headers).not.toHaveProperty("authorization")
      expect(raw.split(canary)).toHaveLength(2)
    }
    if (foreign !== undefined) expect(yield* foreign.bytes).toBe("")
    // A request has a span: where nothing was seen of it, nothing is proved.
    if (requests.length > 0) expect(seen).not.toEqual([])
    expect(seen.join("\n")).not.toContain(canary)
    expect(printed(Either.isLeft(result) ? result.left : result.right)).not.toContain(canary)
    return result
  })
