/** The polls of a server. Each list has its own, so that one that fails or is slow does not delay the others. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as ListLimit from "@vigil/health-client/ListLimit"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Limits from "@vigil/health-schema/Limits"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as EventList from "@vigil/health-verdict/EventList"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Picture from "@vigil/health-verdict/Picture"
import * as StatusList from "@vigil/health-verdict/StatusList"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { CommandError } from "../command/CommandError.js"
import * as Failure from "../command/Failure.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Time from "../flags/Time.js"
import * as Entry from "../lists/Entry.js"
import * as EventSnapshot from "../lists/EventSnapshot.js"
import * as Lists from "../lists/Lists.js"
import * as Defect from "../output/Defect.js"
import { notePrefix, Output } from "../output/Output.js"
import * as Polling from "../watches/Polling.js"
import type * as Notifications from "./Notifications.js"
import * as State from "./State.js"

type Page = Parameters<NonNullable<EventList.Options["onPage"]>>[0]

type ListError = CommandError | Defect.Defect | ListLimit.ListLimit

type AnyList = EventList.EventList<ListError> | StatusList.StatusList<ListError>

export interface Options {
  readonly connection: Connection.Health
  readonly scope: Picture.Scope
  readonly since: Time.Since | undefined
  readonly allowInvalid: boolean
  readonly every: Duration.Duration
  /** Whether each poll also reads the states of resources. */
  readonly resources: boolean
  /** How far back each poll of a subscription must read events. */
  readonly reach: Duration.Duration
  /** Runs after each complete list of a subscription. */
  readonly onSuccess: (poll: Notifications.Poll) => Effect.Effect<void, Failure.Failure>
  readonly onResources: (poll: Notifications.ResourcePoll) => Effect.Effect<void, Failure.Failure>
}

/** Remembers what polls found in each list. */
const outcomesOf = (options: Parameters<typeof Polling.outcomes>[0]) => {
  const all = new Map<Subject.Subject, ReturnType<typeof Polling.outcomes>>()
  return (subject: Subject.Subject, title: string | undefined) => {
    const known = all.get(subject) ?? Polling.outcomes({ ...options, subject: title })
    all.set(subject, known)
    return known
  }
}

const lackOf = (defect: unknown) => {
  const error = Defect.make(defect)
  return { error, problem: Failure.plain(error), readAt: undefined }
}

const wholePeriod = Duration.days(Limits.activeDaysBack)

/** `polls` ends only if all required lists fail with fatal errors. `now` is monotonic, in milliseconds. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { allowInvalid, connection, every, onResources, onSuccess, resources, scope } = options
  const { apiVersion, client, names } = connection
  const output = yield* Output
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const availability = resources ? yield* connection.availability : undefined
  const permits = Semaphore.makeUnsafe(Subscriptions.concurrency)
  const { all, leftOut } = Picture.subjects(scope)
  const { length: several } = scope.subscriptions
  const required = several > 0 ? scope.subscriptions : all
  const polled = <S extends Subject.Subject>(subject: S) => ({
    subject,
    name: Subject.isSubscription(subject) ? names.nameOf(subject) : undefined,
    isRequired: several === 0 || Subject.isSubscription(subject),
  })
  let state = State.initial(now(), all.map(polled), resources ? scope.subscriptions.map(polled) : [], leftOut)

  const titleOf = (subject: Subject.Subject) => {
    if (!Subject.isSubscription(subject)) return several === 0 ? undefined : Subject.label(subject)
    return several === 1 ? undefined : names.title(subject)
  }
  const eventOutcomes = outcomesOf({ output, every })
  const statusOutcomes = outcomesOf({ output, every, noun: Lists.statusNoun.entry })
  const pollsOf = (subject: Subject.Subject) => eventOutcomes(subject, titleOf(subject))
  const statusPollsOf = (subject: SubscriptionId) =>
    statusOutcomes(subject, [titleOf(subject) ?? [], "resources"].flat().join(", "))

  const limits = { apiVersion, describe: Failure.plain, run: Lists.run(connection) }

  /** A list fails, too, if all of its entries are invalid. */
  const check = Effect.fnUntraced(function* <L extends AnyList>(list: L, valid: number, command?: string) {
    if (list.problem !== undefined) return list
    const tally = { events: valid, invalid: list.invalid.length }
    const checked = yield* Effect.result(Entry.check(tally, allowInvalid, command))
    if (Result.isSuccess(checked)) return list
    return { ...list, readAt: undefined, problem: Failure.plain(checked.failure), error: checked.failure }
  })

  /** The last failures of required lists that must end the command if all have one. */
  const fatal = new Map<Subject.Subject, Failure.Failure>()
  const fail = Effect.fnUntraced(function* (subject: Subject.Subject, error: Failure.Failure) {
    const polls = pollsOf(subject)
    fatal.delete(subject)
    if (required.includes(subject) && polls.isFatal(error)) fatal.set(subject, error)
    if (fatal.size < required.length) return yield* polls.fail(error)
    if (required.length === 1) return yield* Effect.fail(error)
    yield* output.note(notePrefix(titleOf(subject)) + Failure.plain(error))
    return yield* Lists.failIfIncomplete(required.length, required.length, [...fatal.values()])
  })

  const refused = new Set<Subject.Subject>()
  /** Notes once that a list beside the required ones may not be read. */
  const noteRefused = Effect.fnUntraced(function* (list: EventList.EventList) {
    if (refused.has(list.subject)) return
    refused.add(list.subject)
    const gaps = Coverage.gaps({ events: State.events(state), leftOut: [] })
    const gap = gaps.find(({ subject }) => subject === list.subject)
    if (gap !== undefined) yield* output.note(`vigil: ${Coverage.phrase(gap, names.title)}.`)
  })

  const fromOf = (at: number) => Time.start(options.since ?? wholePeriod, at)

  /** The page has the list as soon as it is read. */
  const pollEvents = Effect.fnUntraced(function* (subject: Subject.Subject, poll: () => State.Poll) {
    const { at } = poll()
    const polls = pollsOf(subject)
    const from = fromOf(at)
    const readFrom = Math.min(from, at - Duration.toMillis(options.reach))
    // States are judged by all active events, also by those that the page leaves out.
    const isWhole = options.since === undefined || (resources && readFrom > at - Duration.toMillis(wholePeriod))
    const queryStartTime = isWhole ? undefined : DateTime.makeUnsafe(readFrom)
    const isSince = EventSnapshot.isSince(readFrom, { subject })
    const pages: Array<Page> = []
    let valid = 0
    const progress = yield* Lists.makeProgress()
    const onPage = (page: Page) => {
      pages.push({ ...page, items: page.items.filter(isSince) })
      valid += page.items.length + page.older
      return Effect.andThen(Effect.forEach(page.invalid, polls.invalid, { discard: true }), progress.page(page))
    }
    const read = yield* EventList.read<ListError>(subject, { ...limits, queryStartTime, onPage })
    const list = yield* check(read, valid)
    const { error } = list
    state = State.next(state, { ...poll(), from }, list, error !== undefined && polls.isLasting(error))
    const known = state.lists.find((one) => one.subject === subject)
    if (known !== undefined && State.isOutside(state, known)) return yield* noteRefused(list)
    if (error !== undefined) return error
    refused.delete(subject)
    fatal.delete(subject)
    yield* polls.succeed
    if (Subject.isSubscription(subject)) yield* onSuccess({ list: subject, from: readFrom, pages })
  })

  const pollStatuses = Effect.fnUntraced(function* (subject: SubscriptionId, poll: () => State.Poll) {
    if (availability === undefined) return
    const polls = statusPollsOf(subject)
    const reading = StatusList.read<ListError>(subject, { ...limits, isBrief: true })
    const read = yield* Effect.provideService(reading, AvailabilityClient, availability)
    yield* Effect.forEach(read.invalid, polls.invalid, { discard: true })
    const list = yield* check(read, read.statuses.length, "vigil resources list --output json")
    const { error, invalid, statuses } = list
    state = State.nextResources(state, poll(), list, error !== undefined && polls.isLasting(error))
    if (error !== undefined) return yield* polls.fail(error)
    yield* polls.succeed
    yield* onResources({ list: subject, statuses, invalid })
  })

  let noted = ""
  const pollImpacted = Effect.fnUntraced(function* (subject: Subject.Subject, at: number) {
    const own = State.events(state).filter((one) => one.subject === subject)
    const impacted = yield* ImpactedLists.read<ListError>(Picture.ownedEvents(own), {
      ...limits,
      now: at,
      known: state.impacted,
      needsMetadata: Picture.needsMetadata(own),
      run: Lists.runLast(connection, at),
    })
    state = State.nextImpacted(state, at, subject, impacted)
    const failures = ImpactedLists.failures(state.impacted)
    const text = failures.map(({ problem, source }) => `${source}: ${problem}`).join(" ")
    if (text !== noted && text !== "") yield* output.note(`vigil: ${text}`)
    noted = text
  })

  // Whether the tenant may not be read, or the token has expired, is only known once another list was read.
  const begun = yield* Deferred.make<void>()

  /** A defect is a failed poll of a list. */
  const poll = Effect.fnUntraced(function* (subject: Subject.Subject) {
    const [at, startedAt] = [yield* Clock.currentTimeMillis, now()]
    const times = () => ({ at, startedAt, duration: now() - startedAt })
    const ofEvents = Effect.catchDefect(pollEvents(subject, times), (defect) => {
      const { error, ...lack } = lackOf(defect)
      state = State.next(state, { ...times(), from: fromOf(at) }, { ...State.noEvents, ...lack, error, subject })
      return Effect.succeed(error)
    })
    const ofResources = (id: SubscriptionId) =>
      Effect.catchDefect(pollStatuses(id, times), (defect) => {
        const { error, ...lack } = lackOf(defect)
        state = State.nextResources(state, times(), { ...State.noStatuses, ...lack, error, subject: id })
        return statusPollsOf(id).fail(error)
      })
    const [failure] = yield* Effect.all(
      [ofEvents, Subject.isSubscription(subject) ? ofResources(subject) : Effect.void],
      {
        concurrency: "unbounded",
      },
    )
    if (resources) yield* pollImpacted(subject, at)
    if (failure !== undefined) yield* fail(subject, failure)
    yield* Deferred.succeed(begun, undefined)
  })

  const repeated = (subject: Subject.Subject) => {
    const polls = Polling.repeat(Semaphore.withPermits(permits, 1)(poll(subject)), { every, output })
    return required.includes(subject) ? polls : Effect.andThen(Deferred.await(begun), polls)
  }
  const polls = Effect.forEach(all, repeated, { concurrency: "unbounded", discard: true }).pipe(
    Effect.provideService(HealthClient, client),
  )
  return { state: () => state, now, polls }
})
