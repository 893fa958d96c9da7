/** Pages under some faults: their checkpoints resume the list, and they contain the invalid entries. */
import { expect, it } from "@effect/vitest"
import { Checkpoint, Listing } from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Outcome } from "./expected.js"
import { connect, drain, subscription, tagOf } from "./harness.js"

const stored = Schema.fromJsonString(Checkpoint.Checkpoint)

interface Case {
  readonly name: Faults.Name
  /** The events, page by page. */
  readonly pages: ReadonlyArray<string>
  readonly outcome: Outcome
  readonly limits?: Listing.Limits
  /** The result of resuming from the last checkpoint, once each list is one page. Default: that page. */
  readonly resumes?: string
}

it.live.each<Case>([
  { name: "next-link-loop-two", pages: ["EVENT-0", "EVENT-1", "EVENT-2", "EVENT-1"], outcome: "PageLoop" },
  // Resuming checks the link again.
  { name: "next-link-other-host", pages: ["FIRST"], outcome: "Link", resumes: "Link" },
  { name: "last-page-502", pages: ["FIRST"], outcome: "ServiceFailure" },
  { name: "token-refused-mid-list", pages: ["FIRST"], outcome: "Unauthorized" },
  { name: "token-expires-mid-list", pages: ["FIRST", "LAST"], outcome: "end", resumes: "end" },
  { name: "endless-links", pages: ["EVENT-0", "EVENT-1", "EVENT-2"], outcome: "PageLimit", limits: { maxPages: 3 } },
])(
  "$name ends pages after those before it, and the last checkpoint resumes once the service is repaired",
  ({ limits, name, outcome, pages, resumes = "EXTRA end" }) =>
    Effect.gen(function* () {
      const foreign = yield* Faults.serve([Reply.page([])])
      const script = Faults.byName(name).script({ foreign: foreign.origin, now: yield* Clock.currentTimeMillis })
      let isRepaired = false
      const server = yield* Faults.serve((request, at) => {
        if (isRepaired) return Reply.page([{ name: "EXTRA" }])
        return typeof script === "function" ? script(request, at) : (script[at] ?? script.at(-1) ?? Reply.silent)
      })
      const read = (from?: Checkpoint.Checkpoint) =>
        Effect.flatMap(connect(server.origin), (client) =>
          drain({ server, foreign }, client.pagesBySubscription(subscription, { ...limits, from })),
        )
      const { delivered, error } = yield* read()
      expect([...delivered.map(({ items }) => items.map((event) => event.name).join()), tagOf(error)]).toEqual([
        ...pages,
        outcome,
      ])
      isRepaired = true
      const checkpoint = yield* Effect.fromNullishOr(delivered.at(-1)?.checkpoint)
      expect(checkpoint).toMatchObject({ pages: pages.length, items: pages.length })
      const before = (yield* server.requests).length
      const again = yield* read(yield* Schema.decodeEffect(stored)(yield* Schema.encodeEffect(stored)(checkpoint)))
      const events = again.delivered.flatMap(({ items }) => items)
      expect([...events.map((event) => event.name), tagOf(again.error)].join(" ")).toBe(resumes)
      const requests = (yield* server.requests).slice(before)
      expect(requests).toHaveLength(resumes === "EXTRA end" ? 1 : 0)
      for (const { origin, target } of requests) expect(checkpoint.next).toEqual(Option.some(`${origin}${target}`))
    }),
)

it.live.each<readonly [Faults.Name, ReadonlyArray<object>]>([
  ["not-an-event", [42, "x", null, []].map((raw, at) => ({ index: at + 1, path: "", raw }))],
  ["invalid-dates", [1, 2].map((index) => ({ index, path: "properties.impactStartTime" }))],
])("the invalid entries of %s are in their page, and `Listing.items` reports them in order", ([name, invalid]) =>
  Effect.gen(function* () {
    const started = yield* Faults.start(name)
    const client = yield* connect(started.server.origin)
    const { delivered, error } = yield* drain(started, client.pagesBySubscription(subscription))
    expect(error).toBeUndefined()
    expect(delivered).toMatchObject([{ invalid, items: [{ name: "BEFORE" }, { name: "AFTER" }] }])
    const order: Array<unknown> = []
    const record = (entry: unknown) => Effect.sync(() => order.push(entry))
    yield* Stream.fromIterable(delivered).pipe(
      Listing.items({ onInvalid: ({ index }) => record(index) }),
      Stream.runForEach((event) => record(event.name)),
    )
    expect(order).toEqual(["BEFORE", ...invalid.map((_, at) => at + 1), "AFTER"])
  }),
)
