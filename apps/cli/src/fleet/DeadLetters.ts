/** `vigil fleet dead-letters`: lists the notifications that sinks rejected permanently, sends them again, or removes them. */
import type * as FleetDeadLetters from "@vigil/health-fleet/DeadLetters"
import * as Notification from "@vigil/notify/Notification"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Confirmation from "../Confirmation.js"
import * as Progress from "../events/Progress.js"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Database from "./Database.js"

type Letter = FleetDeadLetters.DeadLetter

const decode = Schema.decodeOption(Schema.parseJson(Notification.Notification))

const field =
  (name: "level" | "state" | "title" | "trackingId") =>
  ({ notification }: Letter): string | null =>
    Option.getOrNull(Option.map(decode(notification), (notification) => notification[name]))

const fields = {
  id: ({ id }: Letter) => id,
  sink: ({ sink }: Letter) => sink,
  at: ({ at }: Letter) => at.toISOString(),
  trackingId: field("trackingId"),
  state: field("state"),
  level: field("level"),
  title: field("title"),
  error: ({ error }: Letter) => error,
}

const shape = Format.shape<Letter>({
  columns: [
    { heading: "ID", cell: fields.id },
    { heading: "SINK", cell: fields.sink },
    { heading: "FAILED (UTC)", hideOrder: 2, cell: ({ at }) => at.toISOString().slice(0, 16).replace("T", " ") },
    { heading: "TRACKING ID", cell: fields.trackingId },
    { heading: "STATE", hideOrder: 1, cell: fields.state },
    { heading: "TITLE", hideOrder: 3, minWidth: 16, cell: fields.title },
    { heading: "ERROR", minWidth: 16, cell: fields.error },
  ],
  fields,
})

export const command = Command.make({
  name: "dead-letters",
  description: "List, resend or remove the dead letters of a fleet: notifications that a sink rejected permanently.",
  examples: ["vigil fleet dead-letters", "vigil fleet dead-letters --resend"],
  flags: {
    database: Database.flag,
    resend: Flag.boolean("Queue the dead letters for a runner"),
    remove: Flag.boolean("Remove the dead letters; asks for confirmation"),
    yes: Confirmation.flags.yes,
    output: Format.flag,
  },
  run: function* ({ database, output: format, remove, resend, yes }) {
    if (remove && resend)
      return yield* new UsageError("--resend and --remove are mutually exclusive: pass one of them.")
    const { note } = yield* Output
    const { DeadLetters, sql } = yield* Database.connect(database)
    const letters = yield* Effect.provide(DeadLetters.list, sql)
    const ids = letters.map(({ id }) => id)
    const count = (letters: number) => Progress.plural(letters, "dead letter")
    if (!remove && !resend) return yield* Format.list(format, shape, Stream.make(letters))
    if (resend) {
      const sent = yield* Effect.provide(DeadLetters.resend(ids), sql)
      yield* note(`${count(sent.length)} will be sent again by a runner`)
      const skipped = ids.length - sent.length
      if (skipped === 0) return undefined
      return yield* note(
        `vigil: Skipped ${count(skipped)}: a later notification of the event exists. Pass --remove to remove what is left.`,
      )
    }
    if (ids.length > 0)
      yield* Confirmation.require(`${count(ids.length)} will be removed.`, {
        yes,
        done: "removed",
        preview: "omit --remove to list them",
      })
    yield* note(`${count(yield* Effect.provide(DeadLetters.remove(ids), sql))} removed`)
  },
})
