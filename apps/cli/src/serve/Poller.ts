/** Polls the lists of a server, and keeps what they contain. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as Limits from "@vigil/health-schema/Limits"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { EventPage } from "../events/AnyEvent.js"
import * as Polling from "../events/Polling.js"
import * as Snapshot from "../events/Snapshot.js"
import type * as Failure from "../Failure.js"
import { Output } from "../output/Output.js"
import type * as Connection from "../auth/Connection.js"
import type * as Changes from "./Changes.js"
import * as State from "./State.js"

export interface Options extends Snapshot.Options {
  readonly every: Duration.Duration
  readonly connection: Connection.Connection<HealthClient.Service>
  /** Runs after each successful poll. */
  readonly onSuccess: (poll: Changes.Poll) => Effect.Effect<void, Failure.Failure>
}

/** `polls` never ends, except with an error that the next poll would have too. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { connection, every, onSuccess, resource } = options
  const output = yield* Output
  const note = Polling.noteInvalid(output)
  const outcomes = Polling.outcomes(output, every)
  let state = State.initial

  const poll = Effect.gen(function* () {
    const invalid: Array<unknown> = []
    const pages = new Map<string, Array<EventPage>>()
    const onPage = (page: EventPage, list: string) => {
      const known = pages.get(list)
      if (known === undefined) pages.set(list, [page])
      else known.push(page)
      for (const { raw } of page.invalid) invalid.push(raw)
      return Effect.forEach(page.invalid, note, { discard: true })
    }
    const start = yield* Clock.currentTimeMillis
    const result = yield* Effect.result(Snapshot.readFrom(connection, options, onPage))
    const duration = (yield* Clock.currentTimeMillis) - start
    if (Result.isFailure(result)) {
      const error = result.failure
      state = State.fail(state, start, duration)
      return yield* Polling.isLasting(error, state.snapshot !== undefined) ? Effect.fail(error) : outcomes.fail(error)
    }
    const snapshot = result.success
    // The list of a resource has no start time.
    const reach =
      resource === undefined ? snapshot.from : snapshot.now - Duration.toMillis(Duration.days(Limits.defaultDaysBack))
    state = State.succeed(state, { snapshot, invalid, reach, duration })
    yield* outcomes.succeed
    yield* onSuccess({ from: snapshot.from, pages })
  })

  return {
    state: () => state,
    polls: Effect.repeat(poll, Polling.schedule(output, every)),
  }
})
