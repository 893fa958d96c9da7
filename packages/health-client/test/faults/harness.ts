/** A client of a service that fails, and the credential that these tests look for. */
import { Credential, HealthClient, type Listing, RetryPolicy, SubscriptionId } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

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
      Effect.flatMap(
        Layer.build(baseUrl.startsWith("https") ? HttpStack.trusting(HttpStack.one) : HttpStack.oneLayer),
        (http) => Effect.provide(make, http),
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

/** Runs a reading. Every request has the credential once; nothing that is delivered, logged or traced has it. */
export const guarded = <A, E>(
  servers: Recorder.Servers,
  effect: Effect.Effect<Ending<A, E>>,
): Effect.Effect<Ending<A, E>> =>
  Recorder.guarded(
    servers,
    { canary, header: "authorization", value: new RegExp(`^Bearer ${canary}-\\d+$`) },
    effect,
    ({ delivered, error }) => [delivered, error],
  )

/** The replies of a fault by the order of its own requests, whatever else its server is asked. */
const repliesOf = (name: Faults.Name, foreign: string) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const script = Faults.byName(name).script({ foreign, now })
    let index = 0
    return (request: Reply.Request) => {
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
