/** The fault suite of a client's list: every fault of links, pages and entries, over each HTTP stack that matters. */
import { expect, it } from "@effect/vitest"
import * as Faults from "@vigil/sandbox/Faults"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as HttpStack from "./HttpStack.js"
import { expected, rows } from "./ListOutcomes.js"
import * as Recorder from "./Recorder.js"

interface Failure {
  readonly _tag: string
  readonly message: string
  readonly reason?: { readonly _tag: string }
}

interface Lists {
  /** Streams the entries of the list. */
  readonly list: (options: { readonly maxPages?: number }) => Stream.Stream<object, Failure>
  /** Streams its pages. */
  readonly pages: Stream.Stream<object, Failure>
}

/** A list of a client. */
export interface Options {
  /** The name of `list`, and the path of the list. */
  readonly operation: string
  readonly path: string
  /** The tag of its error for an invalid entry. */
  readonly invalid: string
  /** Faults with invalid entries of this list, and the expected ones. */
  readonly entries: ReadonlyArray<readonly [Faults.Name, ReadonlyArray<object>]>
  /** Makes a client whose retries wait at most a few milliseconds. It is used after this effect. */
  readonly connect: (options: {
    readonly baseUrl: string
    /** A new token each time. */
    readonly token: Effect.Effect<Redacted.Redacted>
  }) => Effect.Effect<Lists, unknown, HttpClient.HttpClient | Scope.Scope>
}

/** A unique text, contained in every test credential. */
const canary = "canary-7c31d8"

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

const nameOf = (entry: object): string => ("name" in entry ? String(entry.name) : "undefined")

/** Defines the tests. */
export const define = ({ connect, entries, invalid, operation, path }: Options): void => {
  const outcomes = expected({ invalid, path })

  const start = (baseUrl: string) => {
    let fetches = 0
    const token = Effect.sync(() => Redacted.make(`${canary}-${++fetches}`))
    // The tests of core-http have the other stacks.
    const http = HttpStack.forFault(HttpStack.one, { name: "next-link", tls: baseUrl.startsWith("https") })
    // Built in the scope of the test, because the client is used after this effect.
    return Effect.flatMap(Layer.build(http), (context) => Effect.provide(connect({ baseUrl, token }), context))
  }

  it.live.each(names)("a list under %s", (name) =>
    Effect.gen(function* () {
      const started = yield* Faults.start(name)
      const { list } = yield* start(started.server.origin)
      const { delivered, error } = yield* drain(started, list(name === "endless-links" ? { maxPages: 50 } : {}))
      const requests = yield* started.server.requests
      const [outcome, count, { entries, fields, second } = {}] = yield* Effect.fromNullishOr(outcomes[name])

      const found = delivered.map(nameOf)
      const tag = error?.reason?._tag ?? error?._tag ?? "end"
      // After a loop, only the entries before the first repetition are certain.
      if (tag === "PageLoop") found.splice(outcome.split(" ").length - 1)
      expect([...found, tag].join(" "), error?.message).toBe(outcome)
      if (entries !== undefined) expect(delivered).toMatchObject(entries)
      // A loop is detected within four rounds.
      if (count === undefined) expect(requests.length).toBeLessThan(found.length * 4)
      else expect(requests).toHaveLength(count)
      if (second !== undefined) expect(requests[1]?.target).toBe(second)
      if (error !== undefined && "operation" in error) expect(error.operation).toBe(operation)
      if (fields !== undefined)
        expect({ ...(error?.reason ?? error) }).toMatchObject(
          typeof fields === "function" ? fields(started.server.origin, started.foreign.origin) : fields,
        )
    }),
  )

  it("every expectation is for a fault of these rows", () => {
    expect(Object.keys(outcomes).toSorted()).toEqual(names.toSorted())
  })

  it.live.each<readonly [Faults.Name, ReadonlyArray<object>]>([
    ["not-an-event", [42, "x", null, []].map((raw, at) => ({ index: at + 1, path: "", raw }))],
    ...entries,
  ])("the invalid entries of %s are in their page", ([name, invalid]) =>
    Effect.gen(function* () {
      const started = yield* Faults.start(name)
      const { pages } = yield* start(started.server.origin)
      const { delivered, error } = yield* drain(started, pages)
      expect(error).toBeUndefined()
      expect(delivered).toMatchObject([{ invalid, items: [{ name: "BEFORE" }, { name: "AFTER" }] }])
    }),
  )
}
