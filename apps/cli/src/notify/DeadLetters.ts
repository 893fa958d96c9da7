/** `vigil notify dead-letters`: lists the dead letters, sends them again, or removes them. */
import type { DeadLetter } from "@vigil/notify/DeadLetter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import * as Lock from "../files/Lock.js"
import * as Flag from "../flags/Flag.js"
import * as Output from "../output/Output.js"
import * as Deliver from "./shared/Deliver.js"
import * as Letters from "./shared/Letters.js"
import * as RoutesFile from "./shared/RoutesFile.js"

interface Letter extends Letters.Letter {
  readonly reason: DeadLetter["reason"]
}

const toLetter = ({ detail, notification, ...letter }: DeadLetter): Letter => ({
  ...letter,
  id: notification.id,
  notification,
  error: detail,
})

/** Runs for the IDs of each sink that has dead letters. */
const forEachSink = <A, E>(
  letters: ReadonlyArray<Letter>,
  run: (sink: string, ids: ReadonlyArray<string>) => Effect.Effect<A, E>,
) =>
  Effect.forEach(Object.entries(Arr.groupBy(letters, ({ sink }) => sink)), ([sink, own]) =>
    run(
      sink,
      own.map(({ id }) => id),
    ),
  )

export const command = Command.make({
  description:
    "List the dead letters: notifications that are not tried again. Stop the watch or server of the state file before you send them again or remove them.",
  examples: [
    "vigil notify dead-letters routes.yaml --state-file seen.json",
    "vigil notify dead-letters routes.yaml --state-file seen.json --resend",
  ],
  flags: {
    stateFile: Flag.required(Flag.text("file"), "State file of events watch or serve"),
    ...Letters.flags,
  },
  args: { file: RoutesFile.argument },
  run: function* ({ file, stateFile, ...flags }) {
    yield* Letters.checkFlags(flags)
    const routes = yield* RoutesFile.read(file)
    if (flags.resend || flags.remove) yield* Lock.lock(stateFile, "vigil notify dead-letters")
    // Only sending requires the secrets.
    const sinks = flags.resend
      ? yield* RoutesFile.sinks(routes)
      : Object.keys(routes.sinks).map((name) => ({ name, deliver: () => Effect.void }))
    const { explain, store } = yield* Deliver.openFiles(stateFile, routes)
    const delivery = yield* Deliver.makeDelivery({ sinks, routes, store, paused: !flags.resend }, explain)
    if ((yield* Effect.orElseSucceed(store.size, () => 1)) === 0)
      yield* Output.note(`vigil: No notifications are stored for ${JSON.stringify(stateFile)}. Check --state-file.`)
    const change = Letters.run(flags, {
      list: Effect.map(delivery.deadLetters, Arr.map(toLetter)),
      remove: (letters) => Effect.as(forEachSink(letters, delivery.removeDeadLetters), letters.length),
      resend: (letters) =>
        forEachSink(letters, delivery.resendDeadLetters).pipe(
          Effect.tap(delivery.flush),
          Effect.map((sent) => sent.flat().length),
          Effect.tap((sent) => (sent === 0 ? Effect.void : Output.note(`${Letters.count(sent)} sent again`))),
        ),
      fields: { reason: ({ reason }: Letter) => reason },
    })
    yield* Effect.catchTag(change, "DeliveryStoreError", (error) => Effect.fail(explain(error)))
    if (flags.resend) yield* Deliver.failIfUndelivered(delivery)
  },
})
