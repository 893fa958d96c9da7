/** What a tool reads: subscriptions, start and filters. */
import * as Find from "@vigil/health-client/Find"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HealthToolError } from "../HealthToolError.js"
import * as quote from "./quote.js"
import type { Found } from "./Row.js"

/** What an operator decides. */
export interface Options {
  readonly subscriptions: ReadonlyArray<SubscriptionId>
  readonly budget: number
  readonly apiVersion: ApiVersion | undefined
}

const list = <S extends Schema.Constraint>(of: S) => Schema.optionalKey(Schema.Array(of))

/** How far back the tools read. */
const maxDays = 365

const days = Schema.optionalKey(
  Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: maxDays })),
    Schema.annotate({ description: "By last update; default: 3" }),
  ),
)

/** Without its name, which would be repeated as a definition in every tool. */
const plain = { identifier: undefined }

const subscriptions = list(SubscriptionId.pipe(Schema.annotate(plain)))

export const fields = {
  subscriptions,
  days,
  type: list(Schema.Literals(Enumerations.EventType.known)),
  status: list(Schema.Literals(Enumerations.EventStatus.known)),
  level: list(Schema.Literals(Enumerations.EventLevel.known)),
  service: list(Schema.String),
  region: list(Schema.String),
}

export const Query = Schema.Struct(fields)

/** Selects one event. */
export const one = { trackingId: TrackingId.pipe(Schema.annotate(plain)), subscriptions }

const One = Schema.Struct(one)

export type One = typeof One.Type

/** The problems of subscriptions that could not be read. */
export const failed = Schema.Record(Schema.String, Schema.String)

const maxFailed = 5

export type Problem = readonly [subscription: string, problem: string]

export const toFailed = (problems: ReadonlyArray<Problem>): typeof failed.Type => {
  const more = problems.length - maxFailed
  const others: ReadonlyArray<Problem> = more > 0 ? [["others", `${more} more subscriptions failed`]] : []
  return Object.fromEntries([...problems.slice(0, maxFailed), ...others])
}

const includes = (wanted: ReadonlyArray<string> | undefined, value: string | undefined): boolean =>
  wanted === undefined || (value !== undefined && wanted.includes(value))

const matches = ({ level, region, service, status, type }: typeof Query.Type) => {
  const targets = (service ?? [undefined]).flatMap((service) =>
    (region ?? [undefined]).map((region) => ({ service, region })),
  )
  return (event: HealthEvent.AnyEvent): boolean =>
    includes(type, OpenEnum.find(Enumerations.EventType, event.properties?.eventType)) &&
    includes(status, HealthEvent.isResolved(event) ? "Resolved" : "Active") &&
    includes(level, HealthEvent.knownLevel(event)) &&
    ((service ?? region) === undefined || targets.some((target) => Events.concerns(event, target)))
}

const fail = (message: string) => new HealthToolError({ message })

/** Errors of the client contain no secrets. */
export const toolError = ({ message }: { readonly message: string }): HealthToolError => fail(quote.line(message, 500))

/** The subscriptions of a call, else those of the operator. */
export const scope = (
  given: { readonly subscriptions?: ReadonlyArray<SubscriptionId> },
  options: Pick<Options, "subscriptions">,
): Effect.Effect<ReadonlyArray<SubscriptionId>, HealthToolError> => {
  const ids = given.subscriptions?.length ? given.subscriptions : options.subscriptions
  return ids.length > 0
    ? Effect.succeed([...new Set(ids)])
    : fail("No subscription is configured. Ask the user for subscription IDs, and pass them as subscriptions.")
}

export const since = ({ days = 3 }: { readonly days?: number }, now: DateTime.Utc): DateTime.Utc =>
  DateTime.subtractDuration(now, Duration.days(days))

/** Fails if all of `count` subscriptions failed. */
export const failIfAll = (
  [first, ...others]: ReadonlyArray<Problem>,
  count: number,
): Effect.Effect<void, HealthToolError> =>
  first === undefined || others.length + 1 < count
    ? Effect.void
    : fail(`Could not list the events of any subscription. ${first[1]}`)

export const countInvalid = (lists: Iterable<{ readonly invalid: ReadonlyArray<unknown> }>): number =>
  Array.from(lists).reduce((sum, { invalid }) => sum + invalid.length, 0)

/** Reads all lists to their last pages. Fails if no list is complete. */
export const read = Effect.fnUntraced(function* (query: typeof Query.Type, start: DateTime.Utc, options: Options) {
  const ids = yield* scope(query, options)
  const outcomes = yield* Stream.runCollect(
    Sweep.sweep<ApiVersion>(ids, { apiVersion: options.apiVersion, queryStartTime: start }),
  )
  const problems = outcomes.flatMap((outcome): ReadonlyArray<Problem> =>
    outcome._tag === "Failed" ? [[outcome.subscription, toolError(outcome.error).message]] : [],
  )
  yield* failIfAll(problems, ids.length)
  const isWanted = matches(query)
  return {
    found: Sweep.join(outcomes).filter(({ event }) => isWanted(event)) satisfies ReadonlyArray<Found>,
    invalid: countInvalid(outcomes),
    failed: toFailed(problems),
  }
})

/** Finds an event in the first subscription that has it. */
export const find = Effect.fnUntraced(function* (
  given: One,
  options: Options,
): Effect.fn.Return<
  { readonly event: HealthEvent.AnyEvent; readonly subscription: SubscriptionId },
  HealthToolError,
  HealthClient
> {
  const { apiVersion } = options
  const queryStartTime = since({ days: maxDays }, yield* DateTime.now)
  let problem = ""
  for (const subscription of yield* scope(given, options)) {
    const result = yield* Effect.result(
      Find.find<ApiVersion>(subscription, given.trackingId, { apiVersion, queryStartTime }),
    )
    if (Result.isFailure(result)) problem ||= ` ${toolError(result.failure).message}`
    else if (Option.isSome(result.success)) return { event: result.success.value, subscription }
  }
  return yield* fail(
    `No subscription has the event ${JSON.stringify(given.trackingId)}. Check the tracking ID with list_events.${problem}`,
  )
})
