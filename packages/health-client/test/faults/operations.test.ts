/** Pages, resumed pages and sweeps under some faults. */
import { describe, expect, it } from "@effect/vitest"
import { Checkpoint, SubscriptionId, Sweep } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { cases, extra, run } from "./cases.js"
import { connect, drain, guarded, namesOf, subscription, tagOf } from "./harness.js"
import { withClient } from "../collect.js"

const stored = Schema.fromJsonString(Checkpoint.Checkpoint)

describe.each(cases)("$name", ({ outcome, limits, name, pages, resumes }) => {
  it.live("fails after the pages before it, and the last checkpoint resumes once the service is repaired", () =>
    Effect.gen(function* () {
      const { delivered, error, ...servers } = yield* run(name, (client) =>
        drain(client.pagesBySubscription(subscription, limits)),
      )
      expect(delivered.map(({ items }) => namesOf(items))).toEqual(pages)
      expect(tagOf(error)).toBe(outcome)

      servers.repair([extra])
      const checkpoint = yield* Effect.fromNullishOr(delivered.at(-1)?.checkpoint)
      expect(checkpoint).toMatchObject({ pages: pages.length, items: pages.length })
      const from = yield* Schema.decodeEffect(stored)(yield* Schema.encodeEffect(stored)(checkpoint))
      const before = (yield* servers.server.requests).length
      const { client } = yield* connect(servers.server.origin)
      const again = yield* guarded(servers, drain(client.pagesBySubscription(subscription, { ...limits, from })))
      const names = again.delivered.flatMap(({ items }) => namesOf(items))
      expect([...names, tagOf(again.error)].join(" ")).toBe(resumes)
      const requests = (yield* servers.server.requests).slice(before)
      expect(requests).toHaveLength(resumes === "EXTRA end" ? 1 : 0)
      for (const { origin, target } of requests) expect(checkpoint.next).toEqual(Option.some(`${origin}${target}`))
    }),
  )

  it.live("is one outcome of a sweep, with the events before it, and does not affect other subscriptions", () =>
    Effect.gen(function* () {
      const other = SubscriptionId.make("other")
      const { delivered } = yield* run(name, (client) =>
        drain(Sweep.sweep([subscription, other], limits).pipe(withClient(client))),
      )
      const outcomeOf = (id: SubscriptionId.SubscriptionId) => delivered.find((each) => each.subscription === id)
      expect(delivered).toHaveLength(2)
      expect(outcomeOf(other)).toMatchObject({ _tag: "Listed", events: [extra], invalid: [] })
      const failed = outcomeOf(subscription)
      expect(namesOf(failed?.events ?? [])).toEqual(pages.flat())
      expect(tagOf(failed?._tag === "Failed" ? failed.error : undefined)).toBe(outcome)
    }),
  )
})
