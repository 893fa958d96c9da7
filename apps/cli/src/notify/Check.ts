/** `vigil notify check`: validates routes, and shows where the listed events would go. */
import * as Notification from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import * as Sinks from "@vigil/notify/Sinks"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Connection from "../connection/Connection.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Lists from "../lists/Lists.js"
import * as Pages from "../lists/Pages.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as Settings from "../settings/Settings.js"
import * as RoutesFile from "./shared/RoutesFile.js"

interface Row {
  readonly notification: Notification.Notification
  readonly deliver: ReadonlyArray<string>
  readonly hold: ReadonlyArray<string>
}

const toRow = (routes: Routes.Routes, notification: Notification.Notification, now: DateTime.Utc): Row => {
  // A watch sends no event that is over when it first sees it.
  const decisions = notification.state === "resolved" ? [] : Routes.sinksFor(routes, notification, now)
  return {
    notification,
    deliver: decisions.flatMap(({ action, sink }) => (action === "deliver" ? [sink] : [])),
    hold: decisions.flatMap((decision) =>
      decision.action === "hold" ? [`${decision.sink} at ${Time.minute(decision.until)}`] : [],
    ),
  }
}

const definition = (label: (id: string) => string): Printable.Definition<Row> => ({
  columns: [
    { heading: "SUBSCRIPTION", hideOrder: 4, cell: ({ notification }) => label(notification.subscription ?? "") },
    { heading: "TRACKING ID", field: "trackingId" },
    { heading: "STATE", field: "state", hideOrder: 2 },
    { heading: "LEVEL", field: "level", hideOrder: 1 },
    { heading: "TITLE", field: "title", minWidth: 16 },
    { heading: "SINKS", field: "deliver", minWidth: 8 },
    { heading: "LATER (UTC)", field: "hold", hideOrder: 3 },
  ],
  fields: {
    subscription: ({ notification }) => notification.subscription,
    trackingId: ({ notification }) => notification.trackingId,
    state: ({ notification }) => notification.state,
    level: ({ notification }) => notification.level,
    title: ({ notification }) => notification.title,
    deliver: ({ deliver }) => deliver.join(", "),
    hold: ({ hold }) => hold.join(", "),
  },
})

/** Fails with all invalid sinks. Returns the names of those that it cannot check, because secrets are not set. */
const checkSinks = Effect.fnUntraced(function* (routes: Routes.Routes) {
  const problems: Array<string> = []
  const unchecked: Array<string> = []
  for (const [name, sink] of Object.entries(routes.sinks)) {
    const made = yield* Effect.result(Sinks.make({ ...routes, sinks: { [name]: sink } }))
    if (Result.isSuccess(made)) continue
    const error = made.failure
    if (error._tag === "SecretsError" && error.secrets.every(({ reason }) => reason === "missing")) unchecked.push(name)
    else problems.push(RoutesFile.inOneLine(error))
  }
  return problems.length > 0 ? yield* new UsageError(problems.join(" ")) : unchecked
}, Effect.scoped)

export const command = Command.make({
  description: "Validate a routes file, and show which sinks would get the listed events now. Sends nothing.",
  examples: ["vigil notify check routes.yaml --sandbox"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.repeated,
    since: Time.since("3d"),
    apiVersion: Connection.apiVersion,
    output: Format.flag,
  },
  args: { file: RoutesFile.argument },
  run: function* ({ file, output: format, ...flags }) {
    const { note } = yield* Output.Output
    const routes = yield* RoutesFile.read(file)
    const unchecked = yield* checkSinks(routes)
    const counts = [
      Output.plural(Object.keys(routes.sinks).length, "sink"),
      Output.plural(routes.routes.length, "route"),
    ]
    yield* note(`${JSON.stringify(file)} is valid: ${counts.join(", ")}`)
    if (unchecked.length > 0) yield* note(`Not checked, because their secrets are not set: ${unchecked.join(", ")}`)
    const baseUrl = { name: "--base-url", value: flags.baseUrl }
    if (!(yield* Connection.isSandbox(flags)) && (yield* Settings.get("healthBaseUrl", baseUrl)) === undefined) {
      yield* note("To see where events would go, set HEALTH_BASE_URL, or pass --sandbox.")
      yield* Format.list(format, definition(String), Stream.empty)
      return
    }
    const connection = yield* Connection.health(flags)
    const query = { apiVersion: connection.apiVersion, queryStartTime: flags.since }
    const ids = yield* Subscriptions.several(connection, flags)
    yield* Effect.forEach(RoutesFile.subscriptions(routes), (text) => Subscriptions.noteMistake(connection.names, text))
    const resolved = RoutesFile.withIds(routes, connection.names)
    const now = yield* DateTime.now
    const lists = Lists.ofSubscriptions<AnyEvent>(
      connection,
      ids,
      (id) => (from) => connection.client.pagesBySubscription(id, { ...query, from }),
    )
    const { concurrency } = Subscriptions
    const pulling = yield* Pages.make(lists, { isSeveral: ids.length > 1, concurrency })
    let sent = 0
    const rows = Stream.map(pulling.pages, ({ list, page }) => {
      const rows = page.items.map((event) =>
        toRow(resolved, Notification.fromChange({ _tag: "Appeared", event }, { subscription: list.id }), now),
      )
      sent += rows.filter(({ deliver, hold }) => deliver.length + hold.length > 0).length
      return rows
    })
    const { status } = yield* Output.Output
    yield* Effect.ensuring(Format.list(format, definition(connection.names.label), rows), status(undefined))
    yield* note(`${Output.plural(pulling.tally.events, "event")} of ${Lists.summary(connection, pulling.read())}`)
    if (sent > 1)
      yield* note(
        "The first run sends a sink one summary instead of several events. Alertmanager, PagerDuty and sinks with repeatEvery get each event.",
      )
    yield* pulling.failIfIncomplete
  },
})
