/** Notes what fails in a fleet, and that it works again. */
import type { FleetError } from "@vigil/health-fleet/FleetError"
import type { Status } from "@vigil/health-fleet/Status"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Progress from "../events/Progress.js"
import { Output } from "../output/Output.js"

/** The text of each problem, by the text for its end. */
type Problems = ReadonlyMap<string, string>

/** What is wrong in a fleet. */
export const fromStatus = ({ failing, runners, sinks, subscriptions }: Status): Problems => {
  const problems = new Map<string, string>()
  const alive = runners.filter(({ isAlive }) => isAlive)
  if (new Set(alive.map(({ settings }) => settings)).size > 1)
    problems.set(
      "All runners have the same settings again.",
      `The settings of ${alive.map(({ name }) => name).join(", ")} differ. Start all with the same --routes, --filter and HEALTH_API_VERSION.`,
    )
  if (subscriptions === 0)
    problems.set(
      "The fleet has subscriptions.",
      "The fleet has no subscriptions. Add some with vigil fleet add, or pass --subscriptions-file to vigil fleet run.",
    )
  if (failing > 0)
    problems.set(
      "All polls succeed again.",
      `${failing} of ${Progress.plural(subscriptions, "subscription")} failed at the last poll. Run vigil fleet status --subscriptions to see why.`,
    )
  for (const { deadLetters, error, isServed, name, pending } of sinks) {
    if (!isServed && pending > 0 && alive.length > 0)
      problems.set(
        `A runner has the sink ${name}.`,
        `No runner has the sink ${name}. ${Progress.plural(pending, "notification")} waiting. Add the sink to the routes, or delete them: DELETE FROM vigil_outbox WHERE sink = '${name.replaceAll("'", "''")}'.`,
      )
    else if (error !== null)
      problems.set(
        `Notifications to ${name} are delivered again.`,
        `Could not notify ${name}: ${error} ${pending} waiting.`,
      )
    if (deadLetters > 0)
      problems.set(
        `There are no dead letters for ${name} any more.`,
        `${Progress.plural(deadLetters, "dead letter")} for ${name}: see vigil fleet dead-letters.`,
      )
  }
  return problems
}

const interval = "30 seconds"

/** The runner has joined and listed its subscriptions by then. */
const firstCheckAfter = "5 seconds"

/** Between two notes of a problem. */
const quiet = Duration.minutes(1)

/** Notes changes of the problems until the scope closes, at most once a minute each. */
export const follow = (status: Effect.Effect<Status, FleetError>) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const noted = new Map<string, { readonly text: string | undefined; readonly at: number }>()
    let problems: Problems = new Map()
    const checked = Effect.timeoutFail(status, {
      duration: "10 seconds",
      onTimeout: () => ({ message: "The database has not responded for 10 seconds." }),
    })
    const check = Effect.gen(function* () {
      problems = yield* Effect.match(checked, {
        onSuccess: fromStatus,
        onFailure: ({ message }) => new Map(problems).set("The database works again.", message),
      })
      const now = yield* Clock.currentTimeMillis
      for (const over of new Set([...problems.keys(), ...noted.keys()])) {
        const text = problems.get(over)
        const last = noted.get(over)
        if (last?.text === text || (last !== undefined && now - last.at < Duration.toMillis(quiet))) continue
        noted.set(over, { text, at: now })
        yield* note(`vigil: ${text ?? over}`)
      }
    })
    yield* Effect.forkScoped(Effect.delay(Effect.repeat(check, Schedule.spaced(interval)), firstCheckAfter))
  })
