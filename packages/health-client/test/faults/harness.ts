/** A client of a failing service, and the credential that the tests search for. */
import type { RequestError } from "@vigil/core-http"
import { Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

/** A unique text, contained in every test credential. */
const canary = "canary-7c31d8"

/** The subscription of the tests. */
export const subscription = SubscriptionId.make("s1")

/** Retries with delays of at most 2 ms. */
const fastRetry = Retry.exponential("1 millis", 3)

/** A client, and a count of credential fetches. Each fetch returns a new token. */
export const connect = (baseUrl: string, settings: Partial<HealthClient.Options> = {}, stack = HttpStack.one) => {
  const credentials = { fetches: 0 }
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++credentials.fetches}`)))
  return HealthClient.make({ baseUrl, credential, retry: fastRetry, ...settings }).pipe(
    Effect.map((client) => ({ client, credentials })),
    // Built in the scope of the test, because the client is used after this effect.
    (make) =>
      Effect.flatMap(
        Layer.build(HttpStack.forFault(stack, { name: "next-link", tls: baseUrl.startsWith("https") })),
        (http) => Effect.provide(make, http),
      ),
  )
}

/** The delivered elements of an operation, and its error, if any. */
export interface Drained<A, E> {
  readonly delivered: ReadonlyArray<A>
  readonly error: E | undefined
}

/** Reads a stream to its end. */
export const drain = <A, E, R>(stream: Stream.Stream<A, E, R>): Effect.Effect<Drained<A, E>, never, R> =>
  Effect.suspend(() => {
    const delivered: Array<A> = []
    return Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
      Effect.result,
      Effect.map((result) => ({ delivered, error: Option.getOrUndefined(Result.getFailure(result)) })),
    )
  })

/** The names of events. */
export const namesOf = (events: ReadonlyArray<Named>): ReadonlyArray<string> => events.map(({ name }) => String(name))

interface Named {
  readonly name?: string | null | undefined
}

type Tagged<Tag extends string> = { readonly _tag: Tag }

/** The tag of the error, that of its reason if it is a `RequestError`, or `end`. */
export const tagOf = <Tag extends string>(error: Tagged<Tag> | RequestError.RequestError | undefined) => {
  if (error === undefined) return "end"
  return "reason" in error && typeof error.reason === "object" ? error.reason._tag : error._tag
}

/** Runs an operation. Checks that every request contains the credential once, and that results, logs and spans never do. */
export const guarded = <A, E>(
  servers: Recorder.Servers,
  effect: Effect.Effect<Drained<A, E>>,
): Effect.Effect<Drained<A, E>> =>
  Recorder.guarded(
    servers,
    { canary, header: "authorization", value: new RegExp(`^Bearer ${canary}-\\d+$`) },
    effect,
    ({ delivered, error }) => [delivered, error],
  )

/** The replies of a fault, by the index of the requests for its own list. */
const repliesOf = (name: Faults.Name, foreign: string) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const script = Faults.byName(name).script({ foreign, now })
    let index = 0
    return (request: Reply.Request) => {
      const at = index++
      return typeof script === "function" ? script(request, at) : (script[at] ?? script.at(-1) ?? Reply.silent)
    }
  })

/** Starts a fault that `repair` ends. The subscription `other` never fails. */
export const startRepairable = (name: Faults.Name) =>
  Effect.gen(function* () {
    const foreign = yield* Faults.serve([Reply.page([])])
    const fault = yield* repliesOf(name, foreign.origin)
    let repaired: ReadonlyArray<unknown> | undefined
    const server = yield* Faults.serve((request) => {
      if (request.target.startsWith("/subscriptions/other/")) return Reply.page([{ name: "EXTRA" }])
      return repaired === undefined ? fault(request) : Reply.page(repaired)
    })
    return {
      server,
      foreign,
      /** Makes every list one page of these events. */
      repair: (events: ReadonlyArray<unknown>) => {
        repaired = events
      },
    }
  })
