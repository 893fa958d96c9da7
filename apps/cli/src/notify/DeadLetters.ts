/** `vigil notify dead-letters`: lists the notifications that were given up, sends them again, or removes them. */
import type { DeadLetter } from "@vigil/notify/DeadLetter"
import type * as Delivery from "@vigil/notify/Delivery"
import type { DeliveryStoreError } from "@vigil/notify/DeliveryStoreError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Confirmation from "../Confirmation.js"
import * as Progress from "../events/Progress.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import * as Deliver from "./Deliver.js"
import * as NotificationFiles from "./NotificationFiles.js"
import * as RoutesFile from "./RoutesFile.js"

const fields = {
  sink: ({ sink }: DeadLetter) => sink,
  at: ({ at }: DeadLetter) => at,
  trackingId: ({ notification }: DeadLetter) => notification.trackingId,
  state: ({ notification }: DeadLetter) => notification.state,
  level: ({ notification }: DeadLetter) => notification.level,
  title: ({ notification }: DeadLetter) => notification.title,
  reason: ({ reason }: DeadLetter) => reason,
  detail: ({ detail }: DeadLetter) => detail,
  id: ({ notification }: DeadLetter) => notification.id,
}

const shape = Format.shape<DeadLetter>({
  columns: [
    { heading: "SINK", cell: fields.sink },
    { heading: "FAILED (UTC)", hideOrder: 2, cell: ({ at }) => at.slice(0, 16).replace("T", " ") },
    { heading: "TRACKING ID", cell: fields.trackingId },
    { heading: "STATE", hideOrder: 1, cell: fields.state },
    { heading: "TITLE", hideOrder: 3, minWidth: 16, cell: fields.title },
    { heading: "REASON", minWidth: 16, cell: fields.detail },
  ],
  fields,
})

const count = (letters: number): string => Progress.plural(letters, "dead letter")

/** Runs for the IDs of each sink that has dead letters. */
const forEachSink = <A>(
  letters: ReadonlyArray<DeadLetter>,
  run: (sink: string, ids: ReadonlyArray<string>) => Effect.Effect<A, DeliveryStoreError>,
) =>
  Effect.forEach(Object.entries(Arr.groupBy(letters, ({ sink }) => sink)), ([sink, own]) =>
    run(
      sink,
      own.map(({ notification }) => notification.id),
    ),
  )

const remove = (delivery: Delivery.Service, letters: ReadonlyArray<DeadLetter>, yes: boolean) =>
  Effect.gen(function* () {
    if (letters.length === 0) return
    const preview = "omit --remove to list them"
    yield* Confirmation.require(`${count(letters.length)} will be removed.`, { yes, done: "removed", preview })
    yield* forEachSink(letters, delivery.removeDeadLetters)
  })

/** Dead letters of events with a later notification stay. */
const resend = (delivery: Delivery.Service, letters: ReadonlyArray<DeadLetter>) =>
  Effect.gen(function* () {
    const sent = yield* forEachSink(letters, delivery.resendDeadLetters)
    yield* delivery.flush
    const skipped = letters.length - sent.flat().length
    if (skipped > 0)
      yield* Output.note(
        `vigil: Skipped ${count(skipped)}: a later notification of the event exists. Pass --remove to remove what is left.`,
      )
  })

export const command = Command.make({
  name: "dead-letters",
  description:
    "List the notifications that were given up. Stop the watch or server of the state file before you send them again or remove them.",
  examples: [
    "vigil notify dead-letters routes.yaml --state-file seen.json",
    "vigil notify dead-letters routes.yaml --state-file seen.json --resend",
  ],
  flags: {
    stateFile: Flag.required(Flag.text("file"), "State file of events watch or serve"),
    resend: Flag.boolean("Send the dead letters again, then list the rest"),
    remove: Flag.boolean("Remove the dead letters; asks for confirmation"),
    yes: Confirmation.flags.yes,
    output: Format.flag,
  },
  args: { file: { ...RoutesFile.value, description: "Routes file (YAML or JSON)" } },
  run: function* ({ file, output: format, stateFile, yes, ...flags }) {
    if (flags.resend && flags.remove)
      return yield* new UsageError("--resend and --remove are mutually exclusive: pass one of them.")
    const routes = yield* RoutesFile.read(file)
    // Only sending requires the secrets.
    const sinks = flags.resend
      ? yield* RoutesFile.sinks(routes)
      : Object.keys(routes.sinks).map((name) => ({ name, deliver: () => Effect.void }))
    const { explain, store } = yield* NotificationFiles.open(stateFile, routes)
    const delivery = yield* NotificationFiles.makeDelivery({ sinks, routes, store, paused: !flags.resend }, explain)
    if ((yield* Effect.orElseSucceed(store.size, () => 1)) === 0)
      yield* Output.note(`vigil: No notifications are stored for ${JSON.stringify(stateFile)}. Check --state-file.`)
    const letters = yield* delivery.deadLetters
    const change = flags.resend
      ? resend(delivery, letters)
      : flags.remove
        ? remove(delivery, letters, yes)
        : Effect.void
    yield* change.pipe(Effect.catchTag("DeliveryStoreError", (error) => Effect.fail(explain(error, "written"))))
    yield* Format.list(format, shape, Stream.make(yield* delivery.deadLetters))
    if (flags.resend) yield* Deliver.failIfUndelivered(delivery)
  },
})
