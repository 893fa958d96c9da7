/** What the fault suite stands on: a client of a service that fails, and an eye on every place where a secret may show. */
import { inspect } from "node:util"
import { FetchHttpClient } from "@effect/platform"
import { Agent } from "@effect/platform-node/Undici"
import { expect } from "@effect/vitest"
import { Credential, HealthClient, type Listing, RetryPolicy, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"

/** Trusts the certificate of the fault server. */
const trusting = Layer.provideMerge(
  FetchHttpClient.layer,
  Layer.scoped(
    FetchHttpClient.RequestInit,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Agent({ connect: { ca: Faults.certificate } })),
        (agent) => Effect.promise(() => agent.destroy()),
      ),
      // `dispatcher` is Node's own addition to what `fetch` takes.
      (dispatcher) => Object.assign<RequestInit, object>({}, { dispatcher }),
    ),
  ),
)

/** In every credential of the suite; and nowhere else. */
const canary = "canary-7c31d8"

/** The subscription that is read. */
export const subscription = SubscriptionId.make("s1")

/** Retries that tests need not wait for. */
const impatient = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

/** A client of the service at an origin, and how often its credential was asked for: it is another one each time. */
export const connect = (baseUrl: string, settings: Partial<HealthClient.Options> = {}) => {
  const asked = { times: 0 }
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++asked.times}`)))
  return HealthClient.make({ baseUrl, credential, retry: impatient, ...settings }).pipe(
    Effect.map((client) => ({ asked, client })),
    // Built in the scope of the test: the client is used for longer than it is made.
    (make) =>
      Effect.flatMap(Layer.build(baseUrl.startsWith("https") ? trusting : FetchHttpClient.layer), (http) =>
        Effect.provide(make, http),
      ),
  )
}

/** What a reading came to: what was delivered of it, and what it failed with, if it did. */
export interface Ending<A, E> {
  readonly delivered: ReadonlyArray<A>
  readonly error: E | undefined
}

/** Reads a stream to its end. */
export const drain = <A, E, R>(stream: Stream.Stream<A, E, R>): Effect.Effect<Ending<A, E>, never, R> =>
  Effect.suspend(() => {
    const delivered: Array<A> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
      Effect.either,
      Effect.map((ended) => ({ delivered, error: Option.getOrUndefined(Either.getLeft(ended)) })),
    )
  })

/** What events are called. */
export const namesOf = (events: ReadonlyArray<Named>): ReadonlyArray<string> => events.map(({ name }) => String(name))

interface Named {
  readonly name?: string | null | undefined
}

/** How a reading ended, in a word. */
export const tagOf = (error: Listing.ListError | undefined) => error?._tag ?? "end"

/** All that a value is printed as, and all that an error is. */
const printed = (value: unknown): string =>
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

/** The two servers of a fault: the service, and the one that nothing may reach. */
export interface Servers {
  readonly server: Faults.Server
  readonly foreign: Faults.Server
}

/** Runs, and then looks for the credential: each request has it; nothing that is delivered, told, logged or traced does. */
export const guarded = <A, E>(
  { foreign, server }: Servers,
  effect: Effect.Effect<Ending<A, E>>,
): Effect.Effect<Ending<A, E>> =>
  Effect.gen(function* () {
    const before = (yield* server.requests).length
    const { result, seen } = yield* watched(effect)
    const requests = yield* server.requests
    for (const { headers, raw } of requests) {
      expect(headers["authorization"]).toMatch(new RegExp(`^Bearer ${canary}-\\d+$`))
      expect(raw.split(canary)).toHaveLength(2)
    }
    expect(yield* foreign.bytes).toBe("")
    // A request has a span: where nothing was seen of it, nothing is proved.
    if (requests.length > before) expect(seen).not.toEqual([])
    expect(seen.join("\n")).not.toContain(canary)
    expect(printed(result.error)).not.toContain(canary)
    expect(printed(result.delivered)).not.toContain(canary)
    return result
  })

/** The replies of a fault by the order of its own requests, whatever else its server is asked. */
const repliesOf = (name: Faults.Name, foreign: string) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const script = Faults.byName(name).script({ foreign, now })
    let index = 0
    return (request: Parameters<Extract<Reply.Script, (...args: never) => unknown>>[0]) => {
      const at = index++
      return typeof script === "function" ? script(request, at) : (script[at] ?? script.at(-1) ?? Reply.silent)
    }
  })

/** A fault of a service that is well otherwise: about subscriptions named `well`, and about all once it is mended. */
export const startMendable = (name: Faults.Name) =>
  Effect.gen(function* () {
    const foreign = yield* Faults.serve([Reply.page([])])
    const fault = yield* repliesOf(name, foreign.origin)
    let mended: ReadonlyArray<unknown> | undefined
    const server = yield* Faults.serve((request) => {
      if (request.target.startsWith("/subscriptions/well/")) return Reply.page([{ name: "WELL" }])
      return mended === undefined ? fault(request) : Reply.page(mended)
    })
    return {
      server,
      foreign,
      /** From now on, every list is one page of these. */
      mend: (events: ReadonlyArray<unknown>) => {
        mended = events
      },
    }
  })
