/** Ours with one thing off that is on by default, or on that is off, by its name. */
import * as Credential from "@vigil/core-http/Credential"
import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Tracer from "effect/Tracer"
import { reading } from "./ours.mjs"

/** A span as an application's tracer makes it: it is told everything, and what has ended goes to an exporter. */
const span = (name, parent, context, links, startTime, kind, ended) => {
  const attributes = new Map()
  return {
    _tag: "Span",
    name,
    spanId: "0123456789abcdef",
    traceId: parent._tag === "Some" ? parent.value.traceId : "0123456789abcdef0123456789abcdef",
    parent,
    context,
    status: { _tag: "Started", startTime },
    attributes,
    links,
    sampled: true,
    kind,
    end(endTime, exit) {
      this.status = { _tag: "Ended", startTime, endTime, exit }
      ended(this)
    },
    attribute(key, value) {
      attributes.set(key, value)
    },
    event: () => {},
    addLinks: () => {},
  }
}

/** A tracer that gathers what has ended into batches, as one that exports does, and keeps none of them. */
const tracer = () => {
  let batch = []
  const ended = (one) => {
    batch.push({ ...one, attributes: Object.fromEntries(one.attributes) })
    if (batch.length === 512) batch = []
  }
  return Tracer.make({
    span: (name, parent, context, links, startTime, kind) => span(name, parent, context, links, startTime, kind, ended),
    context: (f) => f(),
  })
}

/** A logger of everything that writes each line, to nowhere. */
const logger = Logger.replace(
  Logger.defaultLogger,
  Logger.map(Logger.jsonLogger, () => {}),
)

const observed = (effect) =>
  effect.pipe(Effect.withTracer(tracer()), Logger.withMinimumLogLevel(LogLevel.Debug), Effect.provide(logger))

/** What each asks for beside what all ask for. */
const variants = {
  reference: {},
  spans: { spans: false },
  retries: { settings: { retry: RetryPolicy.none } },
  credential: { settings: { credential: Credential.none } },
  rateLimit: { settings: { rateLimit: { requests: 1e6, per: "1 second" } } },
  observed: { around: observed },
}

export const read = ({ variant, ...options }, onPage) => {
  const { around = identity, ...special } = variants[variant]
  return Effect.runPromise(around(reading({ ...options, ...special }, onPage)))
}
