/** The states of the resources of a subscription as a feed: see `Feed.run`. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Feed from "./Feed.js"
import type * as StatusChanges from "./StatusChanges.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import * as steps from "./internal/availability/statusStep.js"

export type { Page, State } from "./internal/availability/statusStep.js"

type Status = AvailabilityStatus.AvailabilityStatus

const isStatus = (value: unknown): value is Status => Result.isSuccess(AvailabilityStatus.decode(value))

const resource = { id: Schema.String, status: Schema.declare(isStatus) }
const changed = { ...resource, before: Schema.String, state: Schema.String }

const Change: Schema.Codec<StatusChanges.Change, unknown> = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Appeared"), ...resource, state: Schema.String }),
  Schema.Struct({ _tag: Schema.Literal("Changed"), ...changed }),
  Schema.Struct({ _tag: Schema.Literal("Recovered"), ...changed }),
  Schema.Struct({
    _tag: Schema.Literal("Disappeared"),
    id: Schema.String,
    before: Schema.String,
    since: Schema.optionalKey(Schema.String),
  }),
])

/** Release 0.2 stored the first two fields. */
const Stored = Schema.Struct({
  subscription: Schema.String,
  state: steps.State,
  id: Schema.optional(Schema.String),
  pending: Schema.optional(Schema.Array(Change)),
})

const decodeStored = Schema.decodeUnknownResult(Schema.fromJsonString(Stored))

/** A change that is stored without what is nested thousands of levels deep. */
const storable = (change: StatusChanges.Change): StatusChanges.Change => {
  if (change._tag === "Disappeared") return change
  try {
    JSON.stringify(change.status)
    return change
  } catch {
    const { id, properties } = change.status
    const texts = Object.entries(properties ?? {}).filter(
      ([, field]) => !Predicate.isObject(field) && !Array.isArray(field),
    )
    return { ...change, status: { id, properties: Object.fromEntries(texts) } as Status }
  }
}

/**
 * Makes the feed of a subscription. `read` returns the complete list of its current statuses. In the first list, every resource has `Appeared`.
 *
 * Resources are the same if their IDs are (`ResourceId.key`), and states if they are in any case. A status without an ID has no changes. A
 * resource has `Disappeared` if two lists in a row lack it, because a list that changes while it is read can lack an entry. An invalid entry keeps
 * its resource; one without an ID keeps all.
 * @category constructors @since 0.3.0
 */
export const make = <E, R>(
  subscription: SubscriptionId,
  read: Effect.Effect<Iterable<steps.Page>, E, R>,
): Feed.Feed<steps.State, StatusChanges.Change, E, R> => ({
  subscription,
  span: "StatusFeed.poll",
  empty: () => steps.empty,
  poll: (state) =>
    Effect.map(read, (pages) => ({
      ...steps.step(state, pages),
      invalid: Array.from(pages).flatMap(({ invalid }) => invalid),
    })),
  encode: ({ id, pending, state }) =>
    JSON.stringify({
      subscription,
      state,
      ...(pending.length > 0 && { id, pending: pending.map(storable) }),
    } satisfies typeof Stored.Encoded),
  decode: (text) =>
    Result.flatMap(
      Result.mapError(decodeStored(text), () => "unreadable" as const),
      ({ id, pending = [], state, subscription: owner }) =>
        owner.toLowerCase() === subscription.toLowerCase()
          ? Result.succeed({ id, pending, state })
          : Result.fail("other"),
    ),
})
