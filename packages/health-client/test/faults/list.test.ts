/** `listBySubscription` under every fault of links, pages and entries. */
import { expect, it } from "@effect/vitest"
import { Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expected, rows } from "./expected.js"

/** A unique text, contained in every test credential. */
const canary = "canary-7c31d8"

const subscription = SubscriptionId.make("s1")

/** A client whose retries wait at most a few milliseconds. Each fetch of the credential returns a new token. */
const connect = (baseUrl: string, stack = HttpStack.one) => {
  let fetches = 0
  const credential = Credential.bearer(Effect.sync(() => Redacted.make(`${canary}-${++fetches}`)))
  const http = HttpStack.forFault(stack, { name: "next-link", tls: baseUrl.startsWith("https") })
  // Built in the scope of the test, because the client is used after this effect.
  return Effect.flatMap(Layer.build(http), (context) =>
    Effect.provide(HealthClient.make({ baseUrl, credential, retry: Retry.exponential("1 millis", 3) }), context),
  )
}

/** Reads a stream. Checks that every request contains the credential once, and that results, logs and spans never do. */
const drain = <A, E>(servers: Recorder.Servers, stream: Stream.Stream<A, E>) => {
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

const names = Faults.names.filter((name) => rows.includes(Faults.byName(name).row))

FaultRuns.each(FaultRuns.over(names), "a list under %s over %s", ([name, stack]) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const client = yield* connect(started.server.origin, stack)
    const options = name === "endless-links" ? { maxPages: 50 } : {}
    const { delivered, error } = yield* drain(started, client.listBySubscription(subscription, options))
    const requests = yield* started.server.requests
    const [outcome, count, { events, fields, second } = {}] = yield* Effect.fromNullishOr(expected[name])

    const found = delivered.map((event) => String(event.name))
    const tag = error?._tag === "RequestError" ? error.reason._tag : (error?._tag ?? "end")
    // After a loop, only the events before the first repetition are certain.
    if (tag === "PageLoop") found.splice(outcome.split(" ").length - 1)
    expect([...found, tag].join(" "), error?.message).toBe(outcome)
    if (events !== undefined) expect(delivered).toMatchObject(events)
    // A loop is detected within four rounds.
    if (count === undefined) expect(requests.length).toBeLessThan(found.length * 4)
    else expect(requests).toHaveLength(count)
    if (second !== undefined) expect(requests[1]?.target).toBe(second)
    if (error !== undefined && "operation" in error) expect(error.operation).toBe("HealthClient.listBySubscription")
    if (fields !== undefined)
      expect({ ...(error?._tag === "RequestError" ? error.reason : error) }).toMatchObject(
        typeof fields === "function" ? fields(started.server.origin, started.foreign.origin) : fields,
      )
  }),
)

it("every expectation is for a fault of these rows", () => {
  expect(Object.keys(expected).toSorted()).toEqual(names.toSorted())
})

it.live.each<readonly [Faults.Name, ReadonlyArray<object>]>([
  ["not-an-event", [42, "x", null, []].map((raw, at) => ({ index: at + 1, path: "", raw }))],
  ["invalid-dates", [1, 2].map((index) => ({ index, path: "properties.impactStartTime" }))],
])("the invalid entries of %s are in their page", ([name, invalid]) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const client = yield* connect(started.server.origin)
    const { delivered, error } = yield* drain(started, client.pagesBySubscription(subscription))
    expect(error).toBeUndefined()
    expect(delivered).toMatchObject([{ invalid, items: [{ name: "BEFORE" }, { name: "AFTER" }] }])
  }),
)
