/** Records what an effect logs and traces, and finds secrets in it. */
import * as References from "effect/References"
import { inspect } from "node:util"
import { expect } from "@effect/vitest"
import type * as Faults from "@vigil/sandbox/Faults"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

export interface Span {
  readonly name: string
  /** The name of the parent. */
  readonly parent: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly exit: Exit.Exit<unknown, unknown>
}

/** `spans` are in the order in which they ended. `text` contains all logs and spans. */
export interface Recording<A> {
  readonly result: A
  readonly spans: ReadonlyArray<Span>
  readonly text: string
}

export const record = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Recording<A>, E, R> => {
  const texts: Array<string> = []
  const spans: Array<Span> = []
  const logger = Logger.make((entry) => {
    texts.push(
      inspect(entry.message, { depth: 20 }),
      Cause.pretty(entry.cause),
      inspect(entry.fiber.getRef(References.CurrentLogAnnotations)),
    )
  })
  class RecordedSpan extends Tracer.NativeSpan {
    override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
      super.end(endTime, exit)
      const { attributes, events, name } = this
      const parent = Option.getOrUndefined(this.parent)
      spans.push({
        name,
        parent: parent && "name" in parent ? parent.name : undefined,
        attributes: Object.fromEntries(attributes),
        exit,
      })
      texts.push(name, inspect(attributes), inspect(events, { depth: 20 }), inspect(exit, { depth: 20 }))
      if (exit._tag === "Failure") texts.push(Cause.pretty(exit.cause))
    }
  }
  return effect.pipe(
    Effect.provideService(References.MinimumLogLevel, "All"),
    Effect.provide(Logger.layer([logger])),
    Effect.withTracer(Tracer.make({ span: (options) => new RecordedSpan(options) })),
    Effect.map((result) => ({ result, spans, text: texts.join("\n") })),
  )
}

/** A value in every printed form that could show a secret. */
export const printed = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 20, showHidden: true }),
    // For other values, `Cause.pretty` only repeats `String` or `JSON.stringify`, slowly.
    ...(value instanceof Error ? [Cause.pretty(Cause.fail(value)), value.message, value.stack] : []),
  ].join("\n")

export interface Secret {
  readonly canary: string
  readonly header: string
  readonly value: RegExp
}

export interface Servers {
  readonly server: Faults.Server
  readonly foreign?: Faults.Server
}

/** Checks that every request contains the credential once, and that no log, span or part of the result contains it. */
export const guarded = <A, E, R>(
  { foreign, server }: Servers,
  { canary, header, value }: Secret,
  effect: Effect.Effect<A, E, R>,
  parts: (result: A) => ReadonlyArray<unknown>,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const before = (yield* server.requests).length
    const { result, text } = yield* record(effect)
    const requests = yield* server.requests
    for (const request of requests) {
      expect(request.headers[header]).toMatch(value)
      expect(JSON.stringify(request).split(canary)).toHaveLength(2)
    }
    if (foreign !== undefined) expect(yield* foreign.bytes).toBe("")
    // Every request has a span: otherwise, the next check would prove nothing.
    if (requests.length > before) expect(text).not.toBe("")
    expect(text).not.toContain(canary)
    for (const part of parts(result)) expect(printed(part)).not.toContain(canary)
    return result
  })
