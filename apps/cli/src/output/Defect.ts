/** Exceptions of vigil itself and of libraries. Their messages may contain secrets and texts of a service, so they are not printed. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Service } from "./Output.js"

/** A defect as a failure, so that it ends only a poll, a request or a change. */
export class Defect extends Data.TaggedError("Defect")<{ readonly description: string }> {
  readonly exit = "defect"

  override get message() {
    return `This is a bug in vigil, please report it: ${this.description}.`
  }
}

/** The folder of the bundle. */
const folder = new URL(".", import.meta.url).pathname

const maxFrames = 8

const typeOf = (defect: unknown): string => {
  const name = defect instanceof Error ? defect.constructor.name : typeof defect
  return /^\w{1,40}$/.test(name) ? name : "Error"
}

/** Where it was thrown in vigil: `Serve-A.js:12:34`. A message may contain lines that look like frames. */
const framesOf = ({ message, stack = "" }: Error): ReadonlyArray<string> => {
  const start = stack.indexOf(message)
  if (start === -1) return []
  const frames = stack.slice(start + message.length).split("\n")
  return frames.flatMap((line) => /^([\w./-]+:\d+:\d+)\)?$/.exec(line.split(folder)[1] ?? "")?.[1] ?? [])
}

export const make = (defect: unknown): Defect => {
  const frames = defect instanceof Error ? framesOf(defect).slice(0, maxFrames) : []
  return new Defect({ description: [typeOf(defect), ...frames].join(" at ") })
}

/** Fails with `Defect` instead of dying. */
export const toFailure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Defect | E, R> =>
  Effect.catchDefect(effect, (defect) => make(defect))

/** Notes a defect, and goes on. `what`: what failed, as a sentence. */
export const orNote =
  ({ note }: Pick<Service, "note">, what: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
    Effect.catchDefect(effect, (defect) => note(`vigil: ${what} ${make(defect).message}`))

/** Replaces the defects of a cause. */
export const clean = <E>(cause: Cause.Cause<E>): Cause.Cause<E> =>
  Cause.fromReasons(
    cause.reasons.map((reason) =>
      Cause.isDieReason(reason) ? Cause.makeDieReason(make(reason.defect).message) : reason,
    ),
  )
