/** `vigil why`: whether the platform, planned maintenance or the owner caused the state of a resource. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { Options } from "@vigil/health-report/ExplanationText"
import * as Explain from "@vigil/health-verdict/Explain"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Command from "../../command/Command.js"
import { CommandError } from "../../command/CommandError.js"
import { plain } from "../../command/Failure.js"
import * as Shell from "../../command/Shell.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Format from "../../output/Format.js"
import * as Target from "../shared/Target.js"

/** How much of the time for a page the search for a name may take, and how much both, so that an answer takes at most the time with the start of the command. */
const shares = { search: 0.4, all: 0.85 }

export const command = Command.make({
  description:
    "Say why a resource does not work: the platform, planned maintenance, or an action of your own. Exit codes: 0 nothing known, 10 platform, 11 maintenance, 12 your own action, 13 unknown, 5 no such resource; others are errors.",
  examples: [
    "vigil why web-1 --sandbox --subscription Production",
    "vigil why web-1 --sandbox --subscription Production --output json",
  ],
  flags: { ...Target.flags, withoutTenant: Connection.withoutTenant },
  args: { resource: Target.argument },
  run: function* ({ output: format, resource: given, ...flags }) {
    const connection = yield* Connection.health(flags)
    const { apiVersion, client, withoutTenant } = connection
    const started = yield* Clock.currentTimeMillis
    const { sameName, ...target } = yield* Target.find(
      connection,
      "why",
      given,
      flags,
      Duration.times(flags.listTimeout, shares.search),
    )
    const left = Duration.toMillis(flags.listTimeout) * shares.all - ((yield* Clock.currentTimeMillis) - started)
    const explanation = yield* Explain.explain(target, {
      apiVersion,
      // For operators: without the names of operations.
      describe: plain,
      sameName,
      timeLimit: left,
      withoutTenant,
    }).pipe(
      Effect.provideServiceEffect(AvailabilityClient, connection.availability),
      Effect.provideService(HealthClient, client),
    )
    // Loaded lazily: it includes an HTML parser.
    const ExplanationText = yield* Effect.promise(() => import("@vigil/health-report/ExplanationText"))
    const json = ExplanationText.toJson(explanation)
    const { status, unread, ...facts } = Struct.omit(json, ["evidence", "period", "suspect", "notCovered"])
    const { resource, subscription } = target
    const showEvent: Options["showEvent"] = ({ days, list, service, trackingId }) => {
      if (list === "subscription")
        return Subscriptions.showEvent(connection, subscription, "--since", `${days}d`)(trackingId)
      const flags =
        list === "tenant"
          ? ["--tenant-wide", "--since", `${days}d`, ...Shell.flag("--service", service)]
          : Shell.flag("--resource", resource)
      return Shell.vigil(connection, "events list", [], flags)
    }
    yield* Format.one(format, {
      lines: (width, color) =>
        ExplanationText.lines(explanation, {
          width,
          color,
          showEvent,
          showResource: Shell.vigil(connection, "resources show", [resource]),
          subscription: connection.names.label(subscription),
        }),
      record: {
        ...facts,
        suspect: json.suspect?.title,
        availabilityState: status?.properties?.availabilityState,
        unread: unread.length,
      },
      json,
    })
    // The output has said why.
    if (explanation.verdict !== "none") yield* new CommandError(explanation.verdict, "")
  },
})
