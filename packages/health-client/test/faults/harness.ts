/** A client of a failing service, and the credential that the tests search for. */
import type { RequestError } from "@vigil/core-http"
import { Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** A unique text, contained in every test credential. */
const canary = "canary-7c31d8"

export const subscription = SubscriptionId.make("s1")

/** A client whose retries wait at most a few milliseconds. Each fetch of the credential returns a new token. */
export const connect = (baseUrl: string, stack = HttpStack.one) => {
  let fetches = 0
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++fetches}`)))
  const http = HttpStack.forFault(stack, { name: "next-link", tls: baseUrl.startsWith("https") })
  // Built in the scope of the test, because the client is used after this effect.
  return Effect.flatMap(Layer.build(http), (context) =>
    Effect.provide(HealthClient.make({ baseUrl, credential, retry: Retry.exponential("1 millis", 3) }), context),
  )
}

/** The tag of the error, that of its reason if it is a `RequestError`, or `end`. */
export const tagOf = <Tag extends string>(error: { readonly _tag: Tag } | RequestError.RequestError | undefined) => {
  if (error === undefined) return "end"
  return "reason" in error && typeof error.reason === "object" ? error.reason._tag : error._tag
}

/** Reads a stream. Checks that every request contains the credential once, and that results, logs and spans never do. */
export const drain = <A, E>(servers: Recorder.Servers, stream: Stream.Stream<A, E>) => {
  const delivered: Array<A> = []
  return Recorder.guarded(
    servers,
    { canary, header: "authorization", value: new RegExp(`^Bearer ${canary}-\\d+$`) },
    Stream.runForEach(stream, (item) => Effect.sync(() => delivered.push(item))).pipe(
      Effect.result,
      Effect.map((result) => ({ delivered, error: Option.getOrUndefined(Result.getFailure(result)) })),
    ),
    ({ delivered, error }) => [delivered, error],
  )
}
