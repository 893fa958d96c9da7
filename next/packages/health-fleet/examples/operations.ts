import type { SubscriptionId } from "@vigil/health-client"
import { DeadLetters, Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import { Console, Effect } from "effect"

/** Adds subscriptions, prints the state of the fleet, and sends again what a sink refused. Needs a `PgClient`. */
export const operate = (subscriptions: ReadonlyArray<SubscriptionId.SubscriptionId>) =>
  Effect.gen(function* () {
    yield* Fleet.migrateDatabase
    const added = yield* Subscriptions.add(subscriptions)
    const { lag, runners, sinks } = yield* Status.status
    yield* Console.log(`${added.length} added, ${runners.length} runners, ${lag} seconds late`, sinks)
    const letters = yield* DeadLetters.list
    yield* DeadLetters.resend(letters.map(({ id }) => id))
  })
