/** What fails in a fleet. */
import type { FleetError } from "@vigil/health-fleet/FleetError"
import type { Status } from "@vigil/health-fleet/Status"
import * as Effect from "effect/Effect"
import { plural } from "../output/Output.js"
import * as Problems from "../output/Problems.js"

/** What is wrong in a fleet. */
export const fromStatus = ({ failing, runners, sinks, subscriptions }: Status): ReadonlyArray<Problems.Problem> => {
  const problems: Array<Problems.Problem> = []
  const alive = runners.filter(({ isAlive }) => isAlive)
  if (new Set(alive.map(({ settings }) => settings)).size > 1)
    problems.push({
      end: "All runners have the same settings again.",
      text: `The settings of ${alive.map(({ name }) => name).join(", ")} differ. Start all with the same --routes, --filter, --rate-limit and HEALTH_API_VERSION.`,
    })
  if (subscriptions === 0)
    problems.push({
      end: "The fleet has subscriptions.",
      text: "The fleet has no subscriptions. Add some with vigil fleet add, or pass --subscriptions-file to vigil fleet run.",
    })
  if (failing > 0)
    problems.push({
      end: "All polls succeed again.",
      text: `${failing} of ${plural(subscriptions, "subscription")} failed at the last poll. Run vigil fleet status --subscriptions to see why.`,
    })
  for (const { deadLetters, error, isServed, name, pending } of sinks) {
    if (!isServed && pending > 0 && alive.length > 0)
      problems.push({
        end: `A runner has the sink ${name}.`,
        text: `No runner has the sink ${name}. ${plural(pending, "notification")} waiting. Add the sink to the routes, or delete them: DELETE FROM vigil_outbox WHERE sink = '${name.replaceAll("'", "''")}'.`,
      })
    else if (error !== null)
      problems.push({
        end: `Notifications to ${name} are delivered again.`,
        text: `Could not notify ${name}: ${error} ${pending} waiting.`,
      })
    if (deadLetters > 0)
      problems.push({
        end: `There are no dead letters for ${name} any more.`,
        text: `${plural(deadLetters, "dead letter")} for ${name}: see vigil fleet dead-letters.`,
      })
  }
  return problems
}

/** Notes what fails until the scope closes. While the database fails, the problems that were known before remain. */
export const follow = (status: Effect.Effect<Status, FleetError>) => {
  let problems: ReadonlyArray<Problems.Problem> = []
  const checked = Effect.timeoutOrElse(status, {
    duration: "10 seconds",
    orElse: () => Effect.fail({ message: "The database has not responded for 10 seconds." }),
  })
  const check = Effect.match(checked, {
    onSuccess: (status) => (problems = fromStatus(status)),
    onFailure: ({ message }) => [...problems, { end: "The database works again.", text: message }],
  })
  // The runner has joined and listed its subscriptions by then.
  return Effect.forkScoped(Effect.delay(Problems.follow(check, "30 seconds"), "5 seconds"))
}
