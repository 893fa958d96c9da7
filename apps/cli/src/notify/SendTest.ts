/** `vigil notify test`: sends a test notification to one sink, and resolves it. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Notification from "@vigil/notify/Notification"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Command from "../command/Command.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import * as RoutesFile from "./shared/RoutesFile.js"

const event = (status: "Active" | "Resolved", now: string) =>
  Result.getOrThrow(
    HealthEvent.decode(ApiVersion.defaultVersion)({
      name: "VIGIL-TEST",
      properties: {
        title: "Test notification of vigil",
        eventType: "ServiceIssue",
        eventLevel: "Informational",
        status,
        summary: status === "Active" ? "This is a test. Nothing is wrong." : "The test is over.",
        impactStartTime: now,
        lastUpdateTime: now,
      },
    }),
  )

export const command = Command.make({
  description: "Send a test notification to a sink of a routes file, then resolve it.",
  examples: ["vigil notify test chat --routes routes.yaml"],
  flags: { routes: Flag.required(RoutesFile.argument, RoutesFile.argument.description) },
  args: { sink: { ...Flag.text("sink"), description: "Name of the sink" } },
  run: function* ({ routes: file, sink: name }) {
    const routes = yield* RoutesFile.read(file)
    const names = Object.keys(routes.sinks)
    if (names.length === 0) return yield* new UsageError("The routes file has no sinks: add one under sinks.")
    if (!names.includes(name))
      return yield* new UsageError(
        `The routes file has no sink ${JSON.stringify(name)}: pass ${Flag.either(names)}.${Suggestion.question(name, names, (one) => JSON.stringify(one))}`,
      )
    const sinks = yield* RoutesFile.sinks({
      ...routes,
      sinks: Object.fromEntries(Object.entries(routes.sinks).filter(([other]) => other === name)),
    })
    const now = DateTime.formatIso(yield* DateTime.now)
    const changes = [
      { _tag: "Appeared", event: event("Active", now) },
      { _tag: "Resolved", event: event("Resolved", now) },
    ] as const
    for (const sink of sinks)
      yield* Effect.forEach(changes, (change) => sink.deliver(Notification.fromChange(change)), { discard: true })
    yield* Output.note(`Sent a test notification to ${JSON.stringify(name)}, and resolved it.`)
  },
})
