/** What a tool reads: subscriptions, start and filters. */
import * as Find from "@vigil/health-client/Find"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HealthToolError } from "../HealthToolError.js"
import * as quote from "./quote.js"

/** Options of the tools. @category models @since 0.2.0 */
export interface Options {
  /** The subscriptions of calls that name none. Default: none, so that such calls fail. */
  readonly subscriptions?: ReadonlyArray<SubscriptionId> | undefined
  /** The API version of requests. Default: `ApiVersion.latest`. */
  readonly apiVersion?: ApiVersion | undefined
  /** The length of a result as JSON, in characters, at least 2,000. One long entry may exceed it. Default: 8,000. */
  readonly budget?: number | undefined
  /** How many calls run at once, at least 1. Default: 4. */
  readonly concurrency?: number | undefined
}

/** How far back the tools read. */
const maxDays = 365

export const defaultDays = 3

const list = <S extends Schema.Constraint>(of: S) => Schema.optionalKey(Schema.Array(of))

/** Without its name, which would be repeated as a definition in every tool. */
const plain = { identifier: undefined }

const subscriptions = list(SubscriptionId.pipe(Schema.annotate(plain)))

/** The subscriptions and the time that a tool reads. */
export const range = {
  subscriptions,
  days: Schema.optionalKey(
    Schema.Finite.pipe(
      Schema.check(Schema.isBetween({ minimum: 0, maximum: maxDays })),
      Schema.annotate({ description: `By last update; default: ${defaultDays}` }),
    ),
  ),
}

export const fields = {
  ...range,
  type: list(Schema.Literals(Enumerations.EventType.known)),
  status: list(Schema.Literals(Enumerations.EventStatus.known)),
  level: list(Schema.Literals(Enumerations.EventLevel.known)),
  service: list(Schema.String),
  region: list(Schema.String),
}

const Fields = Schema.Struct(fields)

/** Selects one event. */
export const one = { trackingId: TrackingId.pipe(Schema.annotate(plain)), subscriptions }

const One = Schema.Struct(one)

const fail = (message: string) => new HealthToolError({ message })

/** Errors of the client contain no secrets. */
export const toolError = ({ message }: { readonly message: string }): HealthToolError => fail(quote.line(message, 500))

/** The subscriptions of a call, else those of the operator. */
export const scope = (given: Pick<typeof One.Type, "subscriptions">, options: Options) => {
  const ids = given.subscriptions?.length ? given.subscriptions : (options.subscriptions ?? [])
  return ids.length > 0
    ? Effect.succeed([...new Set(ids)])
    : fail("No subscription is configured. Ask the user for subscription IDs, and pass them as subscriptions.")
}

/** At the head of answers: what could not be read. */
export const unread = { invalidEntries: Schema.Finite, failed: Schema.Array(Schema.String) }

export const countInvalid = (lists: ReadonlyArray<{ readonly invalid: ReadonlyArray<unknown> }>): number =>
  lists.reduce((sum, { invalid }) => sum + invalid.length, 0)

/** The problem of one subscription. */
export const problem = (subscription: string, { message }: { readonly message: string }): string =>
  `${subscription}: ${quote.line(message, 500)}`

/** Describes the subscriptions that could not be read. Fails if all of `count` could not. */
export const toFailed = (problems: ReadonlyArray<string>, count: number) =>
  problems.length < count
    ? Effect.succeed(quote.some(problems))
    : fail(`Could not list the events of any subscription. ${problems[0]}`)

const daysAgo = (days: number) => Effect.map(DateTime.now, (now) => DateTime.subtractDuration(now, Duration.days(days)))

/** Reads all lists to their last pages. Fails if no list is complete. */
export const read = Effect.fnUntraced(function* (query: typeof Fields.Type, options: Options) {
  const ids = yield* scope(query, options)
  const queryStartTime = yield* daysAgo(query.days ?? defaultDays)
  const outcomes = yield* Stream.runCollect(
    Sweep.sweep<ApiVersion>(ids, { apiVersion: options.apiVersion, queryStartTime }),
  )
  const problems = outcomes.flatMap((outcome) =>
    outcome._tag === "Failed" ? [problem(outcome.subscription, outcome.error)] : [],
  )
  const failed = yield* toFailed(problems, ids.length)
  const matches = Events.matches(query)
  const found = Sweep.join(outcomes).filter(({ event }) => matches(event))
  return { found, invalidEntries: countInvalid(outcomes), failed }
})

/** Finds an event in the first subscription that has it. */
export const find = Effect.fnUntraced(function* (given: typeof One.Type, options: Options) {
  const query = { apiVersion: options.apiVersion, queryStartTime: yield* daysAgo(maxDays) }
  const problems: Array<string> = []
  for (const subscription of yield* scope(given, options)) {
    const event = yield* Effect.catch(Find.find<ApiVersion>(subscription, given.trackingId, query), (error) => {
      problems.push(problem(subscription, error))
      return Effect.succeedNone
    })
    if (Option.isSome(event)) return { event: event.value, subscriptions: [subscription] as const }
  }
  const what = `No subscription has the event ${JSON.stringify(given.trackingId)}. Check the tracking ID with list_events.`
  return yield* fail([what, ...problems.slice(0, 1)].join(" "))
})
