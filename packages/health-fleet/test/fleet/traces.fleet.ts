import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { eventually, ground, recorder } from "./ground.js"

/** A tracer, and the spans that it has started. */
const collect = Effect.map(Effect.tracer, (native) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = native.span(options)
      spans.push(span)
      return span
    },
  })
  return { spans, tracer }
})

describe("the spans of a fleet", () => {
  it.live("connect polls to earlier polls, and deliveries to the poll that found the change", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      const { sink, states } = recorder()
      const { spans, tracer } = yield* collect
      yield* put("E", subscriptions)
      yield* Effect.withTracer(start({ sinks: [sink] }), tracer)
      const polls = () => spans.filter(({ name }) => name === "Fleet.poll")
      yield* eventually(Effect.sync(() => states().length === 1 && polls().length > 4))
      const ids = polls().map(({ spanId }) => spanId)
      const linked = polls().filter(({ links }) => links.length > 0)
      expect(linked.length).toBeGreaterThan(0)
      for (const { links, parent } of linked) {
        expect(parent).toEqual(Option.none())
        expect(ids).toContain(links[0]?.span.spanId)
      }
      const delivery = spans.find(({ name }) => name === "Fleet.deliver")
      const parent = Option.flatMap(Option.fromNullishOr(delivery), ({ parent }) => parent)
      expect(ids).toContain(Option.getOrUndefined(parent)?.spanId)
    }),
  )

  it.live("do not include the queries that look for work", () =>
    Effect.gen(function* () {
      const { put, requests, start, subscriptions } = yield* ground()
      const { spans, tracer } = yield* collect
      yield* put("E", subscriptions)
      yield* Effect.withTracer(start(), tracer)
      const others = () => spans.filter(({ name, parent }) => Option.isNone(parent) && name !== "Fleet.poll").length
      yield* eventually(Effect.map(requests, ({ length }) => length > 0))
      const before = others()
      yield* eventually(Effect.map(requests, ({ length }) => length > 4))
      expect(others()).toBe(before)
    }),
  )
})
