/** What fails in a fleet. */
import type { Problem } from "@vigil/health-fleet/Fleet"
import type { FleetError } from "@vigil/health-fleet/FleetError"
import type { Runner, Status } from "@vigil/health-fleet/Status"
import * as Effect from "effect/Effect"
import { plural } from "../output/Output.js"
import * as Problems from "../output/Problems.js"

/** `2026-03-10 12:00:05`, in UTC. */
export const second = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ")

const lastReport = ({ name, seenAt }: Runner): string => `${name} last reported at ${second(seenAt)} UTC`

/** Runners that do nothing. */
const ofRunners = ({ runners }: Status): ReadonlyArray<Problems.Problem> => {
  const alive = runners.filter(({ isAlive }) => isAlive)
  const blocked = Map.groupBy(alive, ({ problem }) => problem)
  if (alive.length === 0)
    return [
      {
        end: "A runner is alive.",
        text:
          runners.length === 0
            ? "No runner is alive. Start one with vigil fleet run."
            : `No runner is alive: ${runners.map(lastReport).join(", ")}. Their logs have the cause.`,
      },
    ]
  return [...blocked].flatMap(([problem, some]) =>
    problem === null ? [] : [{ end: "All runners work again.", text: `${namesOf(some)}: ${problem}` }],
  )
}

const namesOf = (runners: ReadonlyArray<Runner>): string => runners.map(({ name }) => name).join(", ")

/** In seconds. A fleet that catches up after an outage is late for a while. */
const maxLag = 60

/** Whether no runner can work, or polls are late by more than a minute. */
export const isBroken = ({ lag, runners }: Status): boolean =>
  lag > maxLag || !runners.some(({ isAlive, problem }) => isAlive && problem === null)

/** What is wrong with polls, sinks and settings. */
const ofWork = ({
  failing,
  lag,
  runners,
  sinks,
  subscriptions,
  throttled,
}: Status): ReadonlyArray<Problems.Problem> => {
  const problems: Array<Problems.Problem> = []
  const alive = runners.filter(({ isAlive }) => isAlive)
  if (new Set(alive.map(({ settings }) => settings)).size > 1)
    problems.push({
      end: "All runners have the same settings again.",
      text: `The settings of ${namesOf(alive)} differ. Start all with the same --base-url, --routes, --filter, --rate-limit and HEALTH_API_VERSION.`,
    })
  if (lag > maxLag)
    problems.push({
      end: "Polls are no longer late by more than a minute.",
      text: `Polls are late by more than a minute. ${throttled > 0 ? "The service throttles some" : "If they stay late, start more runners, or raise --concurrency or --rate-limit"}.`,
    })
  if (subscriptions === 0)
    problems.push({
      end: "The fleet has subscriptions.",
      text: "The fleet has no subscriptions. Add some with vigil fleet add, or pass --subscriptions-file to vigil fleet run.",
    })
  if (throttled > 0)
    problems.push({
      end: "The service no longer throttles polls.",
      text: `The service throttles ${throttled} of ${plural(subscriptions, "subscription")} (429), which are polled again when it allows. If it continues, raise --min-period and --max-period, or lower --rate-limit.`,
    })
  if (failing > throttled)
    problems.push({
      end: "All polls succeed again.",
      text: `${failing - throttled} of ${plural(subscriptions, "subscription")} failed at the last poll. Run vigil fleet status --subscriptions to see why.`,
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

export const fromStatus = (status: Status): ReadonlyArray<Problems.Problem> => [...ofRunners(status), ...ofWork(status)]

const causeOf = ({ attempt, message }: Problem): string => message.replace(attempt, "")

/** The most important problem of this runner: an outage has several. It stays the same while one of them has its cause. */
const mostImportant = (own: ReadonlyArray<Problem>, last: Problem | undefined): Problem | undefined => {
  const isSame = last !== undefined && own.some((problem) => causeOf(problem) === causeOf(last))
  return isSame ? last : (own.find(({ attempt }) => attempt === "claim polls") ?? own[0])
}

/**
 * Notes what fails until the scope closes: in this runner, and in the work of the fleet. Each runner notes its own problems. While the database
 * fails, the problems that were known before remain.
 */
export const follow = Effect.fnUntraced(function* (
  status: Effect.Effect<Status, FleetError>,
  own: Effect.Effect<ReadonlyArray<Problem>>,
) {
  let ofFleet: ReadonlyArray<Problems.Problem> = []
  let known = ofFleet
  const checked = Effect.timeoutOrElse(status, {
    duration: "10 seconds",
    orElse: () => Effect.fail({ message: "The database has not responded for 10 seconds." }),
  })
  const checkFleet = Effect.match(checked, {
    onSuccess: (status) => (ofFleet = known = ofWork(status)),
    onFailure: ({ message }) => (ofFleet = [...known, { end: "The database works again.", text: message }]),
  })
  let checks = 0
  let noted: Problem | undefined
  let last: Problem | undefined
  const check = Effect.flatMap(own, (problems) => {
    const next = mostImportant(problems, last)
    // The first cause of an outage is often that its connections were closed, so that only one that lasts is noted.
    if (next === undefined || next === last) noted = next
    last = next
    if (noted !== undefined)
      return Effect.succeed([...ofFleet, { end: "This runner works again.", text: noted.message }])
    // A status takes longer than a look at this runner.
    return next === undefined && checks++ % 4 === 0 ? checkFleet : Effect.sync(() => ofFleet)
  })
  // The runner has listed its subscriptions by then.
  yield* Effect.forkScoped(Effect.delay(Problems.follow(check, "5 seconds"), "5 seconds"))
})
