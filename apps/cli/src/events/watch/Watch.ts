/** `vigil events watch`: pulls the changes of the events of subscriptions, prints and delivers them, and saves the state. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as HealthWatch from "@vigil/health-client/Watch"
import { enumerate } from "@vigil/health-text/Sentence"
import { label, shared } from "@vigil/health-verdict/Subject"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "../../command/Command.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Lock from "../../files/Lock.js"
import * as StateFile from "../../files/StateFile.js"
import * as Flag from "../../flags/Flag.js"
import * as Time from "../../flags/Time.js"
import * as Deliver from "../../notify/shared/Deliver.js"
import * as PublicUrl from "../../notify/shared/PublicUrl.js"
import * as RoutesFile from "../../notify/shared/RoutesFile.js"
import { Output } from "../../output/Output.js"
import * as Problems from "../../output/Problems.js"
import type * as SubscriptionNames from "../../settings/SubscriptionNames.js"
import * as ChangeSelection from "../../watches/ChangeSelection.js"
import * as Polling from "../../watches/Polling.js"
import * as EventSelection from "../../lists/EventSelection.js"
import * as Watching from "../../watches/Watching.js"
import * as WatchLine from "./WatchLine.js"

const flags = {
  ...Connection.flags,
  subscription: Subscriptions.repeated,
  subscriptionsFile: Subscriptions.file,
  every: Polling.every,
  since: Time.pastTime("How far back each poll reaches, such as 12h (default: 3d)"),
  ...EventSelection.flags,
  baseline: Flag.withDefault(
    Flag.oneOf(["emit", "skip"], "emit|skip"),
    "emit",
    "Whether the first poll prints existing events",
  ),
  stateFile: StateFile.flag,
  routes: RoutesFile.flag,
  publicUrl: PublicUrl.flag,
  once: Flag.boolean("Poll once and exit, as for cron"),
  apiVersion: Connection.apiVersion,
  output: Flag.withDefault(Flag.oneOf(["lines", "jsonl"], "format"), "lines", "lines or jsonl", "o"),
}

interface Options extends Command.Values<typeof flags> {
  readonly client: HealthClient.Service
  readonly names: SubscriptionNames.SubscriptionNames
  readonly lookback: Duration.Duration | undefined
  readonly selects: ChangeSelection.Selects
  readonly deliver: Effect.Success<ReturnType<typeof Deliver.make>> | undefined
  /** How many subscriptions are watched. With several, the subscription starts notes and ends lines. */
  readonly count: number
}

/** The watch of one subscription. */
const make = Effect.fnUntraced(function* (subscription: SubscriptionId, options: Options) {
  const { apiVersion, baseline, client, count, deliver, filter, lookback, names, selects } = options
  const output = yield* Output
  const [label, subject] = count === 1 ? [] : [names.label(subscription), names.title(subscription)]
  const query = { apiVersion, filter }
  return yield* Watching.make({
    ...options,
    subscription,
    subject,
    place: { key: "" },
    // Notifications that wait together are stored together.
    concurrency: deliver === undefined ? 1 : "unbounded",
    feed: HealthWatch.feed(subscription, {
      ...query,
      times: () => ({ baseline, lookback }),
      read: (queryStartTime) =>
        Stream.runCollect(client.pagesBySubscription(subscription, { ...query, queryStartTime })),
    }),
    handle: Effect.fnUntraced(function* (change, print) {
      if (!selects(change)) return
      const now = yield* DateTime.now
      yield* print(
        options.output === "jsonl"
          ? [WatchLine.json(change, now, count === 1 ? undefined : subscription)]
          : WatchLine.lines(change, now, { subscription: label, width: output.width, color: output.color }),
      )
      if (deliver !== undefined) yield* deliver.change(change, subscription)
    }),
  })
})

const lookbackTo = (since: Time.Since | undefined, now: DateTime.Utc): Duration.Duration | undefined =>
  since === undefined || Duration.isDuration(since) ? since : DateTime.distance(since, now)

export const command = Command.make({
  description: `Watch the health events of subscriptions, without those of the tenant and emerging issues. Prints a line for each event that appears, changes, is resolved, is reopened or disappears, if it is selected before or after the change. ${EventSelection.description}`,
  examples: [
    "vigil events watch --sandbox --every 10m",
    "vigil events watch --sandbox --level Critical --level Error --baseline skip",
    "vigil events watch --sandbox --once --since 12h --output jsonl",
  ],
  isServer: true,
  flags,
  run: function* (given) {
    yield* Subscriptions.checkFlags(given)
    const connection = yield* Connection.health(given)
    const { note, status } = yield* Output
    const ids = yield* Subscriptions.several(connection, given)
    const { publicUrl, routes } = given
    yield* PublicUrl.checkFlags(publicUrl, routes)
    if (given.stateFile !== undefined) yield* Lock.lock(given.stateFile, "vigil events watch")
    const options = {
      ...given,
      client: connection.client,
      names: connection.names,
      apiVersion: connection.apiVersion,
      lookback: lookbackTo(given.since, yield* DateTime.now),
      selects: ChangeSelection.make(given),
      deliver: routes === undefined ? undefined : yield* Deliver.make({ ...given, routes, names: connection.names }),
      count: ids.length,
    }
    const watches = yield* Effect.forEach(ids, (id) => make(id, options))
    // Those of flags are all that was asked for.
    const isAll = !Object.values(Subscriptions.given(given)).includes(true)
    const without = isAll ? `, without ${enumerate(shared.map(label))}` : ""
    if (isAll || (ids.length > 1 && !given.once)) yield* note(`Watching ${connection.names.summary(ids)}${without}`)
    yield* Watching.run(watches).pipe(Effect.ensuring(status(undefined)), Problems.withoutWarnings)
    if (options.deliver !== undefined) yield* options.deliver.end
  },
})
