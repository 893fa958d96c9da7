/** What the fault suite stands on: the HTTP layers, a client that reads lists, and an eye on every place where a secret may show. */
import { inspect } from "node:util"
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Agent } from "@effect/platform-node/Undici"
import { Credential, Decoder, Link, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import { type Page, Paging } from "@vigil/paging"
import { Faults } from "@vigil/sandbox"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"

const dispatcher = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connect: { ca: Faults.certificate } })),
  (agent) => Effect.promise(() => agent.destroy()),
)

const every: ReadonlyArray<readonly [name: string, layer: Layer.Layer<HttpClient.HttpClient>]> = [
  ["fetch", FetchHttpClient.layer],
  ["node", NodeHttpClient.layer],
  ["undici", NodeHttpClient.layerUndici],
]

/** Every HTTP client that the packages are made for; those that `HTTP_LAYERS` names, where it does. */
export const layers = every.filter(([name]) => process.env["HTTP_LAYERS"]?.split(",").includes(name) ?? true)

/** The same, and they trust the certificate of the fault server. */
export const trusting: ReadonlyArray<readonly [name: string, layer: Layer.Layer<HttpClient.HttpClient>]> = [
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

/** In every credential of the suite; and nowhere else. */
export const canary = "canary-5b9e04"

/** A credential that is another one each time that it is asked for, and how often it was. */
export const renewing = () => {
  const state = { asked: 0 }
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++state.asked}`)))
  return { state, credential }
}

/** Retries that tests need not wait for. */
export const impatient = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

const Body = Schema.Struct({
  value: Schema.Array(Schema.Unknown),
  nextLink: Schema.optional(Schema.NullOr(Schema.String)),
})

const decode = Decoder.fromSchema(Body)

/** The list at an address: what it holds, page by page, as any client package would read it. */
export const list = (service: ServiceClient.Service, first: string, options: { readonly prefetch?: number } = {}) => {
  const next = (cursor: string) =>
    Effect.map(
      service.getWithUrl({ operation: "List.read", url: cursor, decode }),
      ({ url, value: { nextLink, value } }): Page.Page<unknown, string> => ({
        items: value,
        next: Option.map(
          Option.filter(Option.fromNullable(nextLink), (link) => link.trim() !== ""),
          (link) => Link.absolute(url, link),
        ),
      }),
    )
  return Paging.items({ first, next, maxPages: 50, ...options })
}

/** What an item is called: an event's name, or what it is in place of one. */
const nameOf = (item: unknown): string =>
  Schema.is(Schema.Struct({ name: Schema.String }))(item) ? item.name : JSON.stringify(item)

/** What a stream delivered, and what it failed with, if it did. */
export const drain = <E>(stream: Stream.Stream<unknown, E>) =>
  Effect.suspend(() => {
    const delivered: Array<string> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(nameOf(item)))).pipe(
      Effect.either,
      Effect.map((ended) => ({ delivered, error: Option.getOrUndefined(Either.getLeft(ended)) })),
    )
  })

/** Runs with everything that is logged or traced written down. */
export const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const seen: Array<string> = []
  const spans: Array<{
    readonly name: string
    readonly attributes: Readonly<Record<string, unknown>>
    readonly exit: Exit.Exit<unknown, unknown>
  }> = []
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
          spans.push({ name, attributes: Object.fromEntries(attributes), exit })
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
    Effect.map((result) => ({ result, spans, seen: seen.join("\n") })),
  )
}
