/** Reads what may explain the states of resources, and notes what could not be read. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Failure from "../../command/Failure.js"
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
  const [run, runLast] = [Lists.run({ listTimeout }), Lists.runLast({ listTimeout }, start)]
  let read = 0
  const count = Effect.suspend(() => status(`${plural((read += 1), "list")} of events read`))
  return yield* Picture.readEvents(
    { subscriptions: ids, withoutTenant: true, withoutEveryone: true },
    {
      apiVersion,
      describe: Failure.plain,
      run: (list) => Effect.ensuring(run(list), count),
      runLast: (list) => Effect.ensuring(runLast(list), count),
    },
  ).pipe(Effect.provideService(HealthClient, client), Effect.ensuring(status(undefined)))
})

/** Notes what was not read of the subscriptions whose statuses were. Returns whether all was read. */
export const noteGaps = Effect.fnUntraced(function* (
  { events, impacted }: Picture.Picture,
  { names }: Pick<Health, "names">,
  isRead: (id: string) => boolean,
) {
  const shown = events.filter(({ subject }) => Subject.isSubscription(subject) && isRead(subject))
  for (const { invalid, problem, subject } of shown) {
    const title = Subject.isSubscription(subject) ? names.title(subject) : Subject.label(subject)
    const prefix = notePrefix(events.length === 1 ? "events" : `${title}, events`)
    yield* InvalidEntries.note({ invalid }, { prefix })
    if (problem !== undefined) yield* note(`${prefix}${problem}`)
  }
  const failures = ImpactedLists.failures(impacted)
  for (const { problem, source } of failures) yield* note(`${notePrefix(source)}${problem}`)
  return failures.length === 0 && shown.every(({ problem }) => problem === undefined)
})
