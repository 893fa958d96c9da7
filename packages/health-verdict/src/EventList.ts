/** Reads the events of a subscription, of the tenant, of everyone, or of a resource. A list that fails keeps what was read before, and says why. */
import { RequestError } from "@vigil/core-http/RequestError"
import type { Checkpoint } from "@vigil/health-client/Checkpoint"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import type { QueryStartTime } from "@vigil/health-client/QueryStartTime"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as EmergingEvents from "./EmergingEvents.js"
import * as Period from "./internal/period.js"
import * as Subject from "./Subject.js"

/** What ends a list: `E` is what `run` adds. @category models @since 0.4.0 */
export type ListError<E> = E | Listing.FetchError

/** An error with a message. @category models @since 0.4.0 */
export interface Described {
  readonly message: string
}

/** What was read of a list. @category models @since 0.4.0 */
export interface EventList<E = unknown> {
  readonly subject: Subject.Subject
  readonly events: ReadonlyArray<AnyEvent>
  /** Of everyone: the entries that `events` are made of. */
  readonly issues: ReadonlyArray<EmergingIssue>
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
  /** How many valid events are left out, because they were updated before the start time: some may be active. */
  readonly older: number
  /** When the reading started, in milliseconds since 1970, if the list is complete. */
  readonly readAt: number | undefined
  /** Whether the service has no such list, and so nothing to say. */
  readonly isAbsent: boolean
  /** Why the list is not complete, and the error itself. */
  readonly problem: string | undefined
  readonly error: ListError<E> | undefined
}

/** A page of a list. `issues`: of everyone, the entries that `items` are made of. @category models @since 0.4.0 */
export interface Page extends Listing.Page<AnyEvent> {
  readonly issues?: ReadonlyArray<EmergingIssue>
}

/** Runs a list, such as within a time or with a permit. It may end the list early. @category models @since 0.4.0 */
export type Run<E = never> = <R>(
  list: Effect.Effect<void, Listing.FetchError, R>,
  subject: Subject.Subject,
) => Effect.Effect<void, ListError<E>, R>

/** How lists are read. @category models @since 0.4.0 */
export interface Options<E = never> {
  /** Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion.ApiVersion | undefined
  /** Default: 90 days ago, as text, so that the client leaves out no active event without an update since then. */
  readonly queryStartTime?: QueryStartTime | undefined
  /** Default: runs it. */
  readonly run?: Run<E> | undefined
  /** Returns the problem of an error. Default: its message. */
  readonly describe?: ((error: ListError<E>) => string) | undefined
  /** Selects the events to keep: a list can have many more than an answer keeps. Default: all. */
  readonly selects?: ((event: AnyEvent) => boolean) | undefined
  /** Runs after each page, with all of its events. */
  readonly onPage?: ((page: Page, subject: Subject.Subject) => Effect.Effect<void>) | undefined
}

/** The code of an error response. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof RequestError && "status" in error.reason ? error.reason.status : undefined

/**
 * Streams the pages of the list of everyone: its issues as events, before invalid entries. A service without emerging issues has no page: there is nothing to say.
 * @category streams @since 0.4.0
 */
export const pagesOfEveryone = <From extends Checkpoint | undefined = undefined>(
  options: PublicInfo.Options & Listing.PageOptions<From, undefined>,
): Stream.Stream<Page, Listing.PagesError<From, undefined>, HealthClient> =>
  Stream.suspend(() => {
    let isBegun = false
    return PublicInfo.pagesOfEmergingIssues<From>(options).pipe(
      Stream.map((page): Page => {
        isBegun = true
        const items = EmergingEvents.make(page.items)
        return { ...page, items, offsets: page.invalid.map(() => items.length), issues: page.items }
      }),
      Stream.catch((error) =>
        !isBegun && [400, 404].includes(statusOf(error) ?? 0) ? Stream.empty : Stream.fail(error),
      ),
    )
  })

/** A list of everyone has an entry even if there is nothing to say. Without one, the service may have sent something else. */
const noEntry = "The service sent no entry."

/** Reads a list to its last page. @category effects @since 0.4.0 */
export const read = Effect.fnUntraced(function* <E extends Described = never>(
  subject: Subject.Subject,
  {
    apiVersion = ApiVersion.defaultVersion,
    describe = ({ message }) => message,
    onPage = () => Effect.void,
    queryStartTime,
    run = (list) => list,
    selects,
  }: Options<E> = {},
): Effect.fn.Return<EventList<E>, never, HealthClient> {
  const client = yield* HealthClient
  const now = yield* Clock.currentTimeMillis
  const issues: Array<EmergingIssue> = []
  const query = { apiVersion, queryStartTime: queryStartTime ?? Period.start(now) }
  const pagesOf = (): Stream.Stream<Page, Listing.FetchError, HealthClient> => {
    if (Subject.isSubscription(subject)) return client.pagesBySubscription(subject, query)
    if (subject._tag === "Resource") return client.pagesByResource(subject.id, { apiVersion })
    return subject._tag === "Tenant" ? client.pagesByTenant(query) : pagesOfEveryone({ apiVersion })
  }
  let isBegun = false
  const seen = Stream.tap(pagesOf(), (page) => {
    isBegun = true
    issues.push(...(page.issues ?? []))
    return onPage(page, subject)
  })
  const kept = selects ? Stream.map(seen, (page) => ({ ...page, items: page.items.filter(selects) })) : seen
  const {
    invalid,
    items,
    older,
    problem: error,
  } = yield* Listing.collect(kept, (list) => Effect.result(run(list, subject)))
  const isAbsent = !isBegun && error === undefined
  const isEmpty = subject === Subject.everyone && isBegun && issues.length + invalid.length === 0
  const problem = error === undefined ? (isEmpty ? noEntry : undefined) : describe(error)
  const readAt = problem === undefined ? now : undefined
  return { subject, events: items, issues, invalid, older, readAt, isAbsent, problem, error }
})

/** Returns whether all of a list was read. @category guards @since 0.4.0 */
export const isComplete = ({ invalid, problem }: Pick<EventList, "invalid" | "problem">): boolean =>
  problem === undefined && invalid.length === 0

/**
 * Returns whether the list of the tenant or of everyone may not be read, or does not exist: the credential lacks the right (403), or the service the list (404).
 * 401 only while other lists can be read, because an expired token is a failure.
 * @category guards @since 0.4.0
 */
export const isOutside = (
  { error, subject }: Pick<EventList, "error" | "subject">,
  others: ReadonlyArray<Pick<EventList, "problem">>,
): boolean => {
  if (Subject.isSubscription(subject) || subject._tag === "Resource") return false
  const status = statusOf(error)
  return status === 403 || status === 404 || (status === 401 && others.some((one) => one.problem === undefined))
}
