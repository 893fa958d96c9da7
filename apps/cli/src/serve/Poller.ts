/** The polls of a server. Each list has its own, so that one that fails or is slow does not delay the others. */
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { EventPage } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Entry from "../lists/Entry.js"
import * as EventLists from "../lists/EventLists.js"
import * as EventResources from "../lists/EventResources.js"
import * as EventSelection from "../lists/EventSelection.js"
import type * as Known from "../lists/Known.js"
import * as Lists from "../lists/Lists.js"
import * as ResourceStatuses from "../lists/ResourceStatuses.js"
import { notePrefix, Output } from "../output/Output.js"
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
  /** Runs after each complete list. */
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
  const makeLists = yield* Lists.make(connection, options)
  const lists = makeLists({ apiVersion })
  const resourceLists = resources ? ResourceStatuses.listsOf(lists) : []
  const permits = Semaphore.makeUnsafe(Subscriptions.concurrency)
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
    state = State.nextResources(state, { ...start, duration: now() - start.startedAt }, { list, result })
    if (failure !== undefined) return yield* polls.fail(failure)
    yield* polls.succeed
    yield* onResources({ list: list.id, statuses, invalid })
  })

  const pollResources = Effect.fnUntraced(function* (id: string) {
    if (availability === undefined) return
    const start = { at: yield* Clock.currentTimeMillis, startedAt: now() }
    const lists = resourceLists.filter((list) => list.id === id)
    yield* ResourceStatuses.readLists(availability, { ...connection, lists }, (outcome) =>
      orFail(onResourceOutcome(outcome, start), (result, error) => {
        state = State.nextResources(
          state,
          { ...start, duration: now() - start.startedAt },
          { list: outcome.list, result },
        )
        return polledResources(outcome.list).fail(error)
      }),
    )
  })

  let noted = ""
  const pollImpacted = Effect.fnUntraced(function* ({ id }: Lists.Subject, at: number) {
    const read = state.lists.flatMap(({ list, read }) => (list.id === id ? [{ list, events: read?.events ?? [] }] : []))
    const impacted = yield* EventResources.read(connection, read, at, state.impacted)
    state = State.nextImpacted(state, id, impacted)
    const failures = ImpactedLists.failures(state.impacted)
    const text = failures.map(({ problem, source }) => `${source}: ${problem}`).join(" ")
    if (text !== noted && text !== "") yield* output.note(`vigil: ${text}`)
    noted = text
  })

  /** The last failures of lists that must end the command if all lists have one. */
  const fatal = new Map<string, Failure.Failure>()
  const onFailure = Effect.fnUntraced(function* (list: Lists.Subject, error: Failure.Failure) {
    fatal.delete(list.id)
    if (polled(list).isFatal(error)) fatal.set(list.id, error)
    if (fatal.size < lists.length) return yield* polled(list).fail(error)
    if (lists.length === 1) return yield* Effect.fail(error)
    yield* output.note(notePrefix(list.subject) + Failure.plain(error))
    return yield* Lists.failIfIncomplete(lists.length, lists.length, [...fatal.values()])
  })

  const poll = Effect.fnUntraced(function* (list: Lists.List) {
    const pages: Array<EventPage> = []
    let failed: Failure.Failure | undefined
    const startedAt = now()

    const onPage = (page: EventPage) => {
      pages.push(page)
      return Effect.forEach(page.invalid, polled(list).invalid, { discard: true })
    }

    const onOutcome = (outcome: EventLists.Outcome, times: EventLists.Times) =>
      orFail(accept(outcome, times), (result, error) => {
        state = State.next(state, { ...times, at: times.now, startedAt, duration: now() - startedAt }, { list, result })
        failed = error
        return Effect.void
      })

    /** The page has the list as soon as it is read. */
    const accept = Effect.fnUntraced(function* (
      outcome: EventLists.Outcome,
      { from, now: at, readFrom }: EventLists.Times,
    ) {
      const { events, older, valid } = outcome
      const read = { entries: { events, older }, valid, allowInvalid }
      const { failure, result } = yield* check(outcome, polled(list), read)
      state = State.next(state, { at, startedAt, from, duration: now() - startedAt }, { list, result })
      failed = failure
      if (failure !== undefined) return
      fatal.delete(list.id)
      yield* polled(list).succeed
      yield* onSuccess({ list: list.id, from: readFrom, pages })
    })

    const only = (query: Parameters<typeof makeLists>[0]) => makeLists(query).filter(({ id }) => id === list.id)
    const [{ now: at }] = yield* Effect.all(
      [
        EventLists.readLists({ ...connection, makeLists: only }, options, onPage, onOutcome, options.reach),
        pollResources(list.id),
      ],
      { concurrency: "unbounded" },
    )
    if (resources) yield* pollImpacted(list, at)
    if (failed !== undefined) yield* onFailure(list, failed)
  })

  const repeated = (list: Lists.List) =>
    Polling.repeat(Semaphore.withPermits(permits, 1)(poll(list)), { every, output })
  const polls = Effect.forEach(lists, repeated, { concurrency: "unbounded", discard: true })
  return { state: () => state, now, polls }
})
