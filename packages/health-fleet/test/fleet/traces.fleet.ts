import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { eventually, ground, recorder } from "./ground.js"

const collect = () => {
  const spans: Array<{ name: string; id: string; parent: string | undefined; links: ReadonlyArray<string> }> = []
  const tracer = Tracer.make({
    context: (run) => run(),
    span: (name, parent, context, links, startTime, kind, options) => {
      const attributes = new Map(Object.entries(options?.attributes ?? {}))
      const id = (spans.length + 1).toString(16).padStart(16, "0")
      spans.push({
        name,
        id,
        parent: Option.getOrUndefined(Option.map(parent, ({ spanId }) => spanId)),
        links: links.map(({ span }) => span.spanId),
      })
      return {
        _tag: "Span",
        name,
        spanId: id,
        traceId: id.repeat(2),
        sampled: true,
        parent,
        context,
        links,
        kind,
        attributes,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        addLinks: () => undefined,
        event: () => undefined,
        end: () => undefined,
      }
    },
  })
  return { spans, tracer }
}

describe("the spans of a fleet", () => {
  it.scopedLive("connect a poll with the one before it, and a delivery with the poll that found the change", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      const { sink, states } = recorder()
      const { spans, tracer } = collect()
      yield* put("E", subscriptions)
      yield* Effect.withTracer(start({ sinks: [sink] }), tracer)
      const polls = () => spans.filter(({ name }) => name === "Fleet.poll")
      yield* eventually(Effect.sync(() => states().length === 1 && polls().length > 4))
      const ids = polls().map(({ id }) => id)
      const linked = polls().filter(({ links }) => links.length > 0)
      expect(linked.length).toBeGreaterThan(0)
      for (const { links, parent } of linked) {
        expect(parent).toBeUndefined()
        expect(ids).toContain(links[0])
      }
      const delivery = spans.find(({ name }) => name === "Fleet.deliver")
      expect(ids).toContain(delivery?.parent)
    }),
  )

  it.scopedLive("do not include the search for work", () =>
    Effect.gen(function* () {
      const { put, requests, start, subscriptions } = yield* ground()
      const { spans, tracer } = collect()
      yield* put("E", subscriptions)
      yield* Effect.withTracer(start(), tracer)
      const others = () => spans.filter(({ name, parent }) => parent === undefined && name !== "Fleet.poll").length
      yield* eventually(Effect.map(requests, ({ length }) => length > 0))
      const before = others()
      yield* eventually(Effect.map(requests, ({ length }) => length > 4))
      expect(others()).toBe(before)
    }),
  )
})
