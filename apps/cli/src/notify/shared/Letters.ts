/** The dead letters of a state file or a fleet: their table, and what `--resend` and `--remove` do. */
import type { Notification } from "@vigil/notify/Notification"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Command from "../../command/Command.js"
import * as Confirmation from "../../command/Confirmation.js"
import * as Flag from "../../flags/Flag.js"
import * as Time from "../../flags/Time.js"
import type { UsageError } from "../../flags/UsageError.js"
import * as Format from "../../output/Format.js"
import * as Output from "../../output/Output.js"
import type * as Printable from "../../output/Printable.js"

export interface Letter {
  readonly id: string
  readonly sink: string
  /** As ISO 8601. */
  readonly at: string
  /** `undefined` if the stored text is invalid. */
  readonly notification: Notification | undefined
  readonly error: string
}

const minute = ({ at }: Letter): string => Option.match(DateTime.make(at), { onNone: () => at, onSome: Time.minute })

const definition = <L extends Letter>(
  ownFields: Readonly<Record<string, (letter: L) => string>>,
): Printable.Definition<L> => ({
  columns: [
    { heading: "SINK", field: "sink" },
    { heading: "FAILED (UTC)", hideOrder: 2, cell: minute },
    { heading: "TRACKING ID", field: "trackingId" },
    { heading: "STATE", field: "state", hideOrder: 1 },
    { heading: "TITLE", field: "title", hideOrder: 3, minWidth: 16 },
    { heading: "ERROR", field: "error", minWidth: 16 },
  ],
  fields: {
    id: ({ id }) => id,
    sink: ({ sink }) => sink,
    at: ({ at }) => at,
    trackingId: ({ notification }) => notification?.trackingId,
    state: ({ notification }) => notification?.state,
    level: ({ notification }) => notification?.level,
    title: ({ notification }) => notification?.title,
    error: ({ error }) => error,
    ...ownFields,
  },
})

export const flags = {
  resend: Flag.boolean("Send the dead letters again, then list the rest"),
  remove: Flag.boolean("Remove the dead letters; asks for confirmation"),
  yes: Confirmation.flags.yes,
  output: Format.flag,
}

type Flags = Command.Values<typeof flags>

export const checkFlags = ({ remove, resend }: Flags): Effect.Effect<void, UsageError> =>
  Flag.exclusive({ "--resend": resend, "--remove": remove })

export const count = (letters: number): string => Output.plural(letters, "dead letter")

interface Store<L, E, R> {
  readonly list: Effect.Effect<ReadonlyArray<L>, E, R>
  /** Skips letters of events that have a later notification. Returns how many it sends. */
  readonly resend: (letters: ReadonlyArray<L>) => Effect.Effect<number, E, R>
  /** Returns how many it removes. */
  readonly remove: (letters: ReadonlyArray<L>) => Effect.Effect<number, E, R>
  /** In addition to the fields of every letter. */
  readonly fields?: Readonly<Record<string, (letter: L) => string>>
}

/** Sends the letters again or removes them if a flag is set, then lists those that are left. */
export const run = Effect.fnUntraced(function* <L extends Letter, E, R>(
  { output, remove, resend, yes }: Flags,
  { fields = {}, ...store }: Store<L, E, R>,
) {
  const letters = yield* store.list
  if (letters.length === 0) yield* Output.note("No dead letters")
  else if (resend) {
    const skipped = letters.length - (yield* store.resend(letters))
    if (skipped > 0)
      yield* Output.note(
        `vigil: Skipped ${count(skipped)}: a later notification of the event exists. Pass --remove to remove what is left.`,
      )
  } else if (remove) {
    const preview = "omit --remove to list them"
    yield* Confirmation.require(`${count(letters.length)} will be removed.`, { yes, done: "removed", preview })
    yield* Output.note(`${count(yield* store.remove(letters))} removed`)
  }
  yield* Format.list(output, definition(fields), Stream.make(resend || remove ? yield* store.list : letters))
})
