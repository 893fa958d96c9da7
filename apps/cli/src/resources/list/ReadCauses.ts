/** Reads what may explain the states of resources, and notes what could not be read. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Causes from "@vigil/health-verdict/Causes"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Health } from "../../connection/Connection.js"
import * as InvalidEntries from "../../connection/InvalidEntries.js"
import * as Lists from "../../lists/Lists.js"
import { note, notePrefix, Output, plural } from "../../output/Output.js"

export const read = Effect.fnUntraced(function* (
  { apiVersion, client, listTimeout }: Health,
  ids: ReadonlyArray<SubscriptionId>,
) {
  const { status } = yield* Output
  const start = yield* Clock.currentTimeMillis
  const [attempt, attemptLast] = [Lists.attempt({ listTimeout }), Lists.attemptLast({ listTimeout }, start)]
  let read = 0
  const show = Effect.suspend(() => status(`${plural(read, "list")} of events read`))
  const counted = (list: Parameters<typeof Lists.described>[0]) =>
    Effect.tap(Lists.described(list), () =>
      Effect.andThen(
        Effect.sync(() => void (read += 1)),
        show,
      ),
    )
  return yield* Causes.read(ids, {
    apiVersion,
    attempt: (list) => counted(attempt(list)),
    attemptLast: (list) => counted(attemptLast(list)),
  }).pipe(Effect.provideService(HealthClient, client), Effect.ensuring(status(undefined)))
})

/** Notes what was not read of the subscriptions whose statuses were. Returns whether all was read. */
export const noteGaps = Effect.fnUntraced(function* (
  { impacted, lists }: Causes.Causes,
  { names }: Pick<Health, "names">,
  isRead: (id: string) => boolean,
) {
  const shown = lists.filter(({ subscription }) => isRead(subscription))
  for (const { invalid, problem, subscription } of shown) {
    const prefix = notePrefix(lists.length === 1 ? "events" : `${names.title(subscription)}, events`)
    yield* InvalidEntries.note({ invalid }, { prefix })
    if (problem !== undefined) yield* note(`${prefix}${problem}`)
  }
  const failures = ImpactedLists.failures(impacted)
  for (const { problem, source } of failures) yield* note(`${notePrefix(source)}${problem}`)
  return failures.length === 0 && shown.every(({ problem }) => problem === undefined)
})
