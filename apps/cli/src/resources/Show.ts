/** `vigil resources show`: the status of a resource with recommended actions, its history, and the resources in it. */
import * as Listing from "@vigil/health-client/Listing"
import * as Scope from "@vigil/health-client/Scope"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Explanation from "@vigil/health-verdict/Explanation"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import * as Failure from "../command/Failure.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Format from "../output/Format.js"
import { note } from "../output/Output.js"
import * as Printable from "../output/Printable.js"
import * as StatusTable from "./shared/StatusTable.js"
import * as Target from "./shared/Target.js"

export const command = Command.make({
  description:
    "Show the status of a resource: state, reason, recommended actions, history, and the resources in it. For why it is so, run vigil why.",
  examples: [
    "vigil resources show web-1 --sandbox --subscription Production",
    "vigil resources show web-1 --sandbox --subscription Production --output json",
  ],
  flags: Target.flags,
  args: { resource: Target.argument },
  run: function* ({ output: format, resource: given, ...flags }) {
    const connection = yield* Connection.health(flags)
    const { apiVersion } = connection
    const { resource, subscription } = yield* Target.find(connection, "resources show", given, flags)
    const availability = yield* connection.availability
    const read = (scope: Scope.Scope, isOptional = false) =>
      Effect.map(
        Listing.collect(availability.pages(scope, { apiVersion }), Effect.result),
        ({ invalid, items, problem: error }) => {
          // A resource that can't contain others may not have this list.
          const isMissing = isOptional && error?._tag === "RequestError" && error.reason._tag === "NotFound"
          return { items, invalid: invalid.length, problem: error && !isMissing ? Failure.plain(error) : undefined }
        },
      )
    const { children, current, history } = yield* Effect.all(
      {
        current: availability.current(resource, { apiVersion, recommendedActions: true }),
        history: read(Scope.resource(resource)),
        children: read(Scope.children(resource), true),
      },
      { concurrency: "unbounded" },
    )
    // Loaded lazily: it includes an HTML parser.
    const { lines, why } = yield* Effect.promise(() => import("@vigil/health-report/StatusText"))
    const now = yield* Clock.currentTimeMillis
    const showEvent = Subscriptions.showEvent(connection, subscription, "--since", "90d")
    const status =
      Explanation.latestStatus({ resource, current: { items: [current], invalid: 0 }, history, now }) ?? current
    yield* Format.one(format, {
      lines: (width, color) =>
        lines({ resource, current: status, history, children, now }, { width, color, showEvent }),
      record: Printable.toObject(StatusTable.fields({ assess: Assessment.make(now), now, why }), status),
      json: { current, history, children },
    })
    const unread = Object.entries({ history, "resources in it": children }).flatMap(([name, { problem }]) =>
      problem === undefined ? [] : [{ name, problem }],
    )
    if (!Format.isTable(format)) for (const { name, problem } of unread) yield* note(`vigil: ${name}: ${problem}`)
    const names = unread.map(({ name }) => name).join(" and ")
    if (names !== "") yield* new CommandError("incomplete", `Not read completely: ${names}.`)
  },
})
