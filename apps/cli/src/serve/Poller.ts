/** The polls of a server: each reads all lists, and one that fails does not stop the others. */
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Defect from "../command/Defect.js"
import * as Failure from "../command/Failure.js"
import type { EventPage } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as Entry from "../lists/Entry.js"
import * as EventLists from "../lists/EventLists.js"
import * as EventResources from "../lists/EventResources.js"
import * as EventSelection from "../lists/EventSelection.js"
import type * as Known from "../lists/Known.js"
import * as Lists from "../lists/Lists.js"
import * as ResourceStatuses from "../lists/ResourceStatuses.js"
import { Output } from "../output/Output.js"
import * as Polling from "../watches/Polling.js"
import type * as Notifications from "./Notifications.js"
import * as State from "./State.js"

export interface Options extends EventLists.Options {
  readonly every: Duration.Duration
  readonly connection: Connection.Health
  /** Whether each poll also reads the states of resources. */
  readonly resources: boolean
  /** How far back each poll must read events. */
  readonly reach: Duration.Duration
  /** Runs after each complete list of a poll. */
  readonly onSuccess: (poll: Notifications.Poll) => Effect.Effect<void, Failure.Failure>
  readonly onResources: (poll: Notifications.ResourcePoll) => Effect.Effect<void, Failure.Failure>
}

type Outcomes = ReturnType<typeof Polling.outcomes>

/** What the polls found in each list. */
const outcomesOf = (options: Omit<Parameters<typeof Polling.outcomes>[0], "subject">) => {
  const all = new Map<string, Outcomes>()
  return ({ id, subject }: Lists.Subject): Outcomes => {
    const known = all.get(id) ?? Polling.outcomes({ ...options, subject })
    all.set(id, known)
    return known
  }
}

interface Read<Entries> {
  readonly entries: Entries
  readonly valid: number
  readonly allowInvalid: boolean
  /** Shows the invalid entries. */
  readonly command?: string
}

/** The entries of a list for the state, or why it failed. A list fails, too, if all of its entries are invalid. */
const check = Effect.fnUntraced(function* <Entries extends object>(
  { error, invalid }: Known.Outcome,
  { isLasting }: Outcomes,
  { allowInvalid, command, entries, valid }: Read<Entries>,
) {
  const checked = yield* Effect.result(Entry.check({ events: valid, invalid: invalid.length }, allowInvalid, command))
  const failure: Failure.Failure | undefined = error ?? (Result.isFailure(checked) ? checked.failure : undefined)
  if (failure === undefined) return { failure, result: { ...entries, invalid: invalid.map(({ raw }) => raw) } }
  return { failure, result: { problem: Failure.plain(failure), isLasting: isLasting(failure) } }
})

/** A defect is a failed poll of a list. */
const orFail = <E, R>(
  accepted: Effect.Effect<void, E, R>,
  fail: (result: State.Failure, error: Defect.Defect) => Effect.Effect<void>,
) =>
  Effect.catchDefect(accepted, (defect) => {
    const error = Defect.make(defect)
    return fail({ problem: Failure.plain(error), isLasting: false }, error)
  })

/** `polls` ends only if all lists fail with fatal errors. `now` is monotonic, in milliseconds. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { allowInvalid, connection, every, onResources, onSuccess, resources } = options
  const { apiVersion } = connection
  const output = yield* Output
  const polled = outcomesOf({ output, every })
  const polledResources = outcomesOf({ output, every, noun: Lists.statusNoun.entry })
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const lists = yield* Lists.make(connection, options, { apiVersion })
  const resourceLists = resources ? ResourceStatuses.listsOf(lists) : []
  const availability = resources ? yield* connection.availability : undefined
  const isFiltered = EventSelection.make(options).selects !== undefined
  let state: State.State = { ...State.initial(now(), lists, resourceLists), isFiltered }

  /** The page has resources as soon as they are read. A list that fails does not end the server. */
  const onResourceOutcome = Effect.fnUntraced(function* (
    outcome: ResourceStatuses.Outcome,
    start: { readonly at: number; readonly startedAt: number },
  ) {
    const { invalid, list, statuses } = outcome
    const polls = polledResources(list)
    yield* Effect.forEach(invalid, polls.invalid, { discard: true })
    const read = {
      entries: { statuses },
      valid: statuses.length,
      allowInvalid,
      command: "vigil resources list --output json",
    }
    const { failure, result } = yield* check(outcome, polls, read)
    state = State.nextResources(state, start, { list, result })
    if (failure !== undefined) return yield* polls.fail(failure)
    yield* polls.succeed
    yield* onResources({ list: list.id, statuses, invalid })
  })

  const pollResources = Effect.gen(function* () {
    if (availability === undefined) return
    const start = { at: yield* Clock.currentTimeMillis, startedAt: now() }
    yield* ResourceStatuses.readLists(availability, { apiVersion, lists: resourceLists }, (outcome) =>
      orFail(onResourceOutcome(outcome, start), (result, error) => {
        state = State.nextResources(state, start, { list: outcome.list, result })
        return polledResources(outcome.list).fail(error)
      }),
    )
  })

  let noted = ""
  const noteImpacted = Effect.fnUntraced(function* (failures: ReturnType<typeof ImpactedLists.failures>) {
    const text = failures.map(({ problem, source }) => `${source}: ${problem}`).join(" ")
    if (text !== noted && text !== "") yield* output.note(`vigil: ${text}`)
    noted = text
  })

  const poll = Effect.gen(function* () {
    const pages = new Map<string, Array<EventPage>>()
    const failed: Array<{ readonly list: Lists.Subject; readonly error: Failure.Failure }> = []
    const startedAt = now()

    const onPage = (page: EventPage, list: Lists.Subject) => {
      pages.set(list.id, [...(pages.get(list.id) ?? []), page])
      return Effect.forEach(page.invalid, polled(list).invalid, { discard: true })
    }

    /** The page has each list as soon as it is read: another one may need minutes to fail. */
    const onOutcome = (outcome: EventLists.Outcome, times: EventLists.Times) =>
      orFail(accept(outcome, times), (result, error) => {
        const { list } = outcome
        state = State.next(state, { ...times, at: times.now, startedAt }, { list, result })
        failed.push({ list, error })
        return Effect.void
      })

    const accept = Effect.fnUntraced(function* (
      outcome: EventLists.Outcome,
      { from, now: at, readFrom }: EventLists.Times,
    ) {
      const { events, list, older, valid } = outcome
      const { failure, result } = yield* check(outcome, polled(list), {
        entries: { events, older },
        valid,
        allowInvalid,
      })
      state = State.next(state, { at, startedAt, from }, { list, result })
      if (failure !== undefined) return void failed.push({ list, error: failure })
      yield* polled(list).succeed
      yield* onSuccess({ list: list.id, from: readFrom, pages: pages.get(list.id) ?? [] })
    })

    const [{ now: at, outcomes }] = yield* Effect.all(
      [EventLists.readLists(connection, options, onPage, onOutcome, options.reach), pollResources],
      { concurrency: "unbounded" },
    )
    if (resources) {
      const read = state.lists.map(({ list, read }) => ({ list, events: read?.events ?? [] }))
      state = State.nextImpacted(state, yield* EventResources.read(connection, read, at, state.impacted))
      yield* noteImpacted(ImpactedLists.failures(state.impacted))
    }
    if (failed.length === outcomes.length && failed.every(({ error, list }) => polled(list).isFatal(error)))
      return yield* EventLists.noteFailures(failed, failed.length)
    state = State.complete(state, { at, duration: now() - startedAt })
    for (const { error, list } of failed) yield* polled(list).fail(error)
  })

  return { state: () => state, now, polls: Polling.repeat(poll, { every, output }) }
})
