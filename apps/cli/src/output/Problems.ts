/** Notes what fails, and that it works again. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Defect from "./Defect.js"
import { note } from "./Output.js"

/** The notes replace the warnings that watches and fleets log. With a lower log level, both are printed. */
export const withoutWarnings = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(References.MinimumLogLevel, (level) =>
    LogLevel.isLessThan(level, "Info") ? effect : Effect.provideService(effect, References.MinimumLogLevel, "Error"),
  )

/** Notes a problem when it begins, and then that it is over. */
export const untilOver = (note: (text: string) => Effect.Effect<void>, end: string) => {
  let isOver = true
  return {
    isOver: () => isOver,
    fail: (text: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const isNoted = !isOver
        isOver = false
        return isNoted ? Effect.void : note(text)
      }),
    succeed: Effect.suspend(() => {
      const isNoted = isOver
      isOver = true
      return isNoted ? Effect.void : note(end)
    }),
  }
}

export interface Problem {
  /** What to note while it lasts. */
  readonly text: string
  /** What to note when it is over. It identifies the problem. */
  readonly end: string
}

/** Between two notes of a problem. */
const quiet = Duration.toMillis("1 minute")

/** Until the first reminder of a problem that does not change. */
const firstReminder = Duration.toMillis("1 hour")

/**
 * Checks again and again, and notes changes: at most once a minute for each problem. A problem that stays the same is noted again after an hour,
 * then after times that double.
 */
export const follow = <R>(check: Effect.Effect<ReadonlyArray<Problem>, never, R>, every: Duration.Input) => {
  const checked = Effect.catchDefect(check, (defect) =>
    Effect.succeed([{ text: `A check failed. ${Defect.make(defect).message}`, end: "The check works again." }]),
  )
  const noted = new Map<string, { readonly text: string | undefined; readonly at: number; readonly reminder: number }>()
  const noteChanges = Effect.gen(function* () {
    const problems = new Map((yield* checked).map(({ end, text }) => [end, text]))
    // The time of day may be set back.
    const now = Number(yield* Clock.monotonicTimeNanos) / 1e6
    for (const end of new Set([...problems.keys(), ...noted.keys()])) {
      const text = problems.get(end)
      const last = noted.get(end)
      const isSame = last !== undefined && last.text === text
      if (last !== undefined && now - last.at < (isSame ? last.reminder : quiet)) continue
      const reminder = isSame ? 2 * last.reminder : text === undefined ? Infinity : firstReminder
      noted.set(end, { text, at: now, reminder })
      yield* note(`vigil: ${text ?? end}`)
    }
  })
  return Effect.repeat(noteChanges, Schedule.spaced(every))
}
