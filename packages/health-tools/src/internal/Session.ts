/** What the tools keep for each session of an MCP server over HTTP: permits, and the entries that did not fit. And a call in a session. */
import { enumerate } from "@vigil/health-text/Sentence"
import { supportedVersions } from "@vigil/health-schema/VersionRejection"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import type * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type * as EventList from "@vigil/health-verdict/EventList"
import * as Subject from "@vigil/health-verdict/Subject"
import type { Options, Scope } from "./Scope.js"

interface Snapshot {
  /** What the cursor belongs to: a tool and its arguments. */
  readonly call: string
  /** The number of entries. */
  readonly size: number
  readonly answer: unknown
}

/** More snapshots, or more entries, end those that were not used for the longest time. */
const limits = { sessions: 200, snapshots: 64, entries: 50_000 }

/** Moves a key to the end of a map, whose first entry is then the least recently used one. */
const touch = <A>(map: Map<string, A>, key: string, value: A): A => {
  map.delete(key)
  map.set(key, value)
  return value
}

const deleteFirst = (map: Map<string, unknown>): void => {
  const [first] = map.keys()
  if (first !== undefined) map.delete(first)
}

const makeSnapshots = () => {
  const all = new Map<string, Snapshot>()
  const total = () => [...all.values()].reduce((sum, { size }) => sum + size, 0)
  return {
    find: (id: string): Snapshot | undefined => {
      const found = all.get(id)
      return found && touch(all, id, found)
    },
    add: (snapshot: Snapshot) =>
      Effect.map(Random.next, (random) => {
        const id = random.toString(36).slice(2)
        all.set(id, snapshot)
        while (all.size > 1 && (all.size > limits.snapshots || total() > limits.entries)) deleteFirst(all)
        return id
      }),
  }
}

type Limit = <A, E, R>(subscription: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Limits how many lists of each subscription are read at once. */
const makeLimit = (count: number): Limit => {
  const all = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()
  return (subscription, effect) => {
    const key = subscription.toLowerCase()
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        const one = all.get(key) ?? { permits: Semaphore.makeUnsafe(count), users: 0 }
        all.set(key, one)
        one.users += 1
        return one
      }),
      ({ permits }) => Semaphore.withPermits(permits, 1)(effect),
      (one) => Effect.sync(() => (one.users -= 1) === 0 && all.delete(key)),
    )
  }
}

/** How many lists of one subscription are read at once. */
const half = (concurrency: number): number => Math.ceil(concurrency / 2)

const makeSession = (concurrency: number, shared: Limit) => {
  const permits = Semaphore.makeUnsafe(concurrency)
  const own = makeLimit(half(concurrency))
  /**
   * Reads a list with three permits. A subscription that hangs leaves permits of the session to the others. Calls that hang leave those of other
   * sessions. The shared permit comes last, so that no list has one while it waits for its session: it leaves some of the client to the polls of a server.
   */
  const limit: Limit = (subscription, list) =>
    own(subscription, Semaphore.withPermits(permits, 1)(shared(subscription, list)))
  return { limit, snapshots: makeSnapshots() }
}

export type Session = ReturnType<typeof makeSession>

const keyOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  headers["mcp-session-id"] ?? `at ${Option.getOrElse(remoteAddress, () => "")}`

/** Stdio and calls of a program have one session, and protocols without sessions one for each address. */
export const make = (concurrency: number): Effect.Effect<Session> => {
  const sessions = new Map<string, Session>()
  const shared = makeLimit(half(concurrency))
  return Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) => {
    const key = Option.match(request, { onNone: () => "", onSome: keyOf })
    const session = touch(sessions, key, sessions.get(key) ?? makeSession(concurrency, shared))
    if (sessions.size > limits.sessions) deleteFirst(sessions)
    return session
  })
}

/** A call of a tool. */
export interface Call {
  readonly options: Options
  readonly scope: Scope
  readonly session: Session
  /** Characters of an answer. */
  readonly budget: number
  /** In milliseconds since 1970. */
  readonly deadline: number
}

/** In seconds. An answer then has what was read. */
export const maxSeconds = 24

/** Of these, the last are for the lists that depend on others. */
export const lastSeconds = 7

/** Why a list could not be read, without the name of the operation. Without a credential, only the reason and what to do, which would be cut off. */
export const messageOf = (error: {
  readonly message: string
  readonly operation?: string | undefined
  readonly reason?: unknown
}): string => {
  const { message, operation, reason } = error
  const cause = Predicate.isTagged(reason, "Credential") && "cause" in reason ? reason.cause : undefined
  if (cause instanceof Error && cause.message !== "") return cause.message
  const supported = supportedVersions(reason)
  // A model cannot choose the version.
  if (supported !== undefined)
    return `The service rejects the API version. Ask the user to start these tools with ${supported.length === 0 ? "another one" : enumerate(supported, "or")} (--api-version of vigil).`
  const prefix = `${operation}: `
  return operation !== undefined && message.startsWith(prefix) ? message.slice(prefix.length) : message
}

type Limits = Pick<Call, "deadline" | "session">

/** Runs a list within the limits of the session, until the deadline of the call. `key`: the subscription. */
const run = <A, E, R>({ deadline, session }: Limits, key: string, list: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    ListLimit.within(Duration.millis(deadline - now))(session.limit(key, list)),
  )

/** Runs the lists of a picture. */
export const runIn =
  (call: Limits): EventList.Run =>
  (list, subject) =>
    run(call, Subject.key(subject), list)

/** Reads a list. Succeeds with the message of an error. */
export const attempt = <A, R>(
  call: Limits,
  subject: Subject.Subject,
  effect: Effect.Effect<A, { readonly message: string }, R>,
): Effect.Effect<Result.Result<A, string>, never, R> =>
  Effect.result(Effect.mapError(run(call, Subject.key(subject), effect), messageOf))
